#include "twofold/report/filter.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace twofold::report {
namespace {

[[noreturn]] void fail(const DrawingProgram& program) {
  throw Error(fmt::format("cannot start {}: {}", program.name, system_error_text(errno)));
}

// Closed at the end of its block, however that comes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int number = -1) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  int get() const { return number_; }

 private:
  int number_;
};

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 16384> buffer = {};
  for (;;) {
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

void write_all(const DrawingProgram& program, int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t size = write(descriptor, text.data() + at, text.size() - at);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) fail(program);
    at += static_cast<std::size_t>(size);
  }
  if (lseek(descriptor, 0, SEEK_SET) != 0) fail(program);
}

// The environment with the locale C.
std::vector<std::string> plain_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::strncmp(*variable, "LC_", 3) != 0 && std::strncmp(*variable, "LANG", 4) != 0)
      variables.emplace_back(*variable);
  variables.emplace_back("LC_ALL=C");
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "no reason given";
  const std::size_t begin = text.find_last_of('\n', end);
  return in_quotes(text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1));
}

}  // namespace

const DrawingProgram kNeato = {"neato", "Graphviz", "graphviz"};
const DrawingProgram kGnuplot = {"gnuplot", "gnuplot", "gnuplot-nox"};
const DrawingProgram kRsvgConvert = {"rsvg-convert", "librsvg", "librsvg2-bin"};

MissingProgram::MissingProgram(const DrawingProgram& program, int code)
    : Error(fmt::format("drawing needs the program {} (install {}, package {}): {}", program.name,
                        program.product, program.package, system_error_text(code))),
      program_(program) {}

std::string run_filter(const DrawingProgram& program, const std::vector<std::string>& arguments,
                       const std::string& input) {
  // The input lies in memory and is read like a file: nobody waits for anybody, and no SIGPIPE can come.
  const Descriptor in(memfd_create("twofold-input", MFD_CLOEXEC));
  const Descriptor said(memfd_create("twofold-messages", MFD_CLOEXEC));
  std::array<int, 2> ends = {-1, -1};
  if (in.get() < 0 || said.get() < 0 || pipe2(ends.data(), O_CLOEXEC) != 0) fail(program);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  write_all(program, in.get(), input);

  std::vector<std::string> words = {program.name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = plain_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, to.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, said.get(), 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.name.c_str(), &actions, nullptr, pointers(words).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw MissingProgram(program, error);
  to.reset();
  std::string output = read_all(from.get());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    lseek(said.get(), 0, SEEK_SET);
    throw Error(fmt::format("{} failed: {}", program.name, last_line(read_all(said.get()))));
  }
  return output;
}

}  // namespace twofold::report
