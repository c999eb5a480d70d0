#include "twofold/eval/reveal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/seal.h"
#include "twofold/eval/work.h"
#include "twofold/graph/checksum.h"

namespace twofold::eval {
namespace {

namespace fs = std::filesystem;
using model::Config;

[[noreturn]] void fail(const char* what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, system_error_text(errno)));
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// The file of opened runs, for one process at a time.
class Ledger {
 public:
  explicit Ledger(const std::string& path) : path_(path) {
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    if (error)
      throw Error(fmt::format("cannot make the folder {}: {}", fs::path(path).parent_path().string(),
                              system_error_text(error.value())));
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("write", path);
    // File systems without locks let everybody in.
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Ledger() { close(descriptor_); }
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // What is there: {"time", "dataset", "data", "splits", "model", "run"} per line.
  std::vector<Config> read() {
    const std::string text = read_file(path_);
    std::vector<Config> entries;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      ++line;
      // A line without an end is what a killed process or a full disk left.
      if (end == std::string::npos) {
        if (ftruncate(descriptor_, static_cast<off_t>(at)) != 0) fail("write", path_);
        break;
      }
      entries.push_back(record::parse_json(text.substr(at, end - at), fmt::format("{}: line {}", path_, line)));
      const record::JsonView entry(entries.back(), fmt::format("{}: line {}", path_, line));
      for (const char* key : {"time", "data", "splits", "run"}) entry.at(key).text();
      at = end + 1;
    }
    return entries;
  }

  void append(const Config& entry) {
    const std::string line = record::json_text(entry) + "\n";
    if (write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
        fsync(descriptor_) != 0)
      fail("write", path_);
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

Revealed read_revealed(const RunFolder& folder) {
  const Config json = folder.read("revealed.json", record::Checksum::kRequired);
  const record::JsonView view(json, folder.file("revealed.json"));
  Revealed revealed;
  revealed.time = view.at("time").text();
  revealed.before = view.at("before").count(1'000'000'000);
  revealed.was_open = true;
  revealed.result = folder.read("result.json", record::Checksum::kRequired);
  return revealed;
}

}  // namespace

std::string ledger_path() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  // The XDG specification: a relative path is to be passed over.
  std::string place = set("XDG_STATE_HOME");
  if (place.empty() || place[0] != '/') {
    place = set("HOME");
    if (place.empty())
      throw Error("needed a place to note which runs were revealed: HOME and XDG_STATE_HOME are not set");
    place += "/.local/state";
  }
  return place + "/twofold/revealed.jsonl";
}

Revealed reveal(RunFolder& folder, const Plan& plan, const std::string& ledger) {
  if (!plan.blind)
    throw InputError(fmt::format("{} was not evaluated with --blind: its test scores are open", folder.path()));
  if (folder.has("revealed.json")) return read_revealed(folder);
  const RunLock lock = folder.lock({});
  if (folder.has("revealed.json")) return read_revealed(folder);  // by someone who was faster
  if (!folder.has("sealed.json")) {
    const WorkState state = work_state(plan, folder);
    throw InputError(fmt::format("{} is not finished ({} of {} tasks are): end its evaluation first",
                                 folder.path(), state.finished, state.total));
  }
  const Config sealed = folder.read("sealed.json", record::Checksum::kRequired);
  const record::JsonView part = record::JsonView(sealed, folder.file("sealed.json")).at("sealed");
  const Config opened = open_seal(folder, "result", part);
  const record::JsonView view(opened, folder.file("sealed.json"));
  Revealed revealed;
  revealed.result = view.at("result").object();
  const std::string predictions = view.at("predictions").text();

  const std::string run = part.at("key").text(), splits = checksum(format_splits(plan.splits));
  Ledger book(ledger);
  std::set<std::string> others;
  for (const Config& entry : book.read()) {
    if (entry["run"] == run)
      revealed.time = entry["time"].get<std::string>();  // the last call was killed before its end
    else if (revealed.time.empty() && entry["data"] == plan.checksum && entry["splits"] == splits)
      others.insert(entry["run"].get<std::string>());
  }
  revealed.before = others.size();
  if (revealed.time.empty()) {
    revealed.time = time_now();
    book.append({{"time", revealed.time},
                 {"dataset", plan.dataset},
                 {"data", plan.checksum},
                 {"splits", splits},
                 {"model", plan.model},
                 {"run", run}});
  }
  folder.write_text("predictions.csv", predictions);
  folder.write("result.json", revealed.result, 1);
  folder.write("revealed.json", {{"time", revealed.time}, {"before", revealed.before}});
  return revealed;
}

}  // namespace twofold::eval
