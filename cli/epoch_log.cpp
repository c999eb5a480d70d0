#include "cli/epoch_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>

#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

std::string log_line(const train::EpochRecord& r, bool is_regression, std::size_t member = 0) {
  const double scale = is_regression ? 1 : 100;
  ordered_json json = ordered_json::object();
  if (member > 0) json["member"] = member;
  json["epoch"] = r.epoch;
  json["lr"] = r.learning_rate;
  json["train_loss"] = r.train_loss;
  json["train"] = scale * r.train_metric;
  if (r.has_validation) {
    json["validation_loss"] = r.validation_loss;
    json["validation"] = scale * r.validation_metric;
  }
  return json.dump() + '\n';
}

// A pipe without a reader gives an error instead of a signal that ends the process.
class IgnorePipeSignal {
 public:
  IgnorePipeSignal() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &old_);
  }
  ~IgnorePipeSignal() { sigaction(SIGPIPE, &old_, nullptr); }
  IgnorePipeSignal(const IgnorePipeSignal&) = delete;
  IgnorePipeSignal& operator=(const IgnorePipeSignal&) = delete;

 private:
  struct sigaction old_ {};
};

// 0, or the error's number.
int write_all(int descriptor, const std::string& text) {
  const IgnorePipeSignal ignore;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

EpochLog::EpochLog(const std::string& path, bool is_regression, const std::vector<train::EpochRecord>& done)
    : path_(path), is_regression_(is_regression) {
  descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw Error(fmt::format("cannot write {}: {}", path, system_error_text(errno)));
  struct stat status {};
  is_regular_ = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  std::string text;
  for (const train::EpochRecord& record : done) text += log_line(record, is_regression_);
  write(text);
}

EpochLog::~EpochLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void EpochLog::add(const train::EpochRecord& record, std::size_t member) {
  write(log_line(record, is_regression_, member));
}

void EpochLog::write(const std::string& text) {
  if (descriptor_ < 0) return;
  const int error = write_all(descriptor_, text);
  if (error == 0) {
    size_ += text.size();
    return;
  }
  trouble_ = fmt::format("cannot write {}: {}", path_, system_error_text(error));
  // Half a line would be no JSON. Where even that fails, the words say that the log is not whole.
  if (is_regular_ && ftruncate(descriptor_, static_cast<off_t>(size_)) != 0)
    trouble_ += " (its last line is cut)";
  ::close(descriptor_);
  descriptor_ = -1;
}

void EpochLog::close() {
  if (descriptor_ < 0) return;
  struct stat written {
  }, named{};
  if (is_regular_ && fstat(descriptor_, &written) == 0 &&
      (stat(path_.c_str(), &named) != 0 || named.st_ino != written.st_ino || named.st_dev != written.st_dev))
    trouble_ = fmt::format("{} was removed or replaced during training", path_);
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0 && trouble_.empty())
    trouble_ = fmt::format("cannot write {}: {}", path_, system_error_text(errno));
}

}  // namespace twofold::cli
