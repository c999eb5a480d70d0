#include "tests/support/measured_program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

// Of the process and its children, and theirs: the most that each has held so far. (VmHWM is lost when a
// process ends, so this is asked for again and again; what a lone process held at most comes from wait4.)
std::uint64_t held_at_most(pid_t process) {
  std::uint64_t kilobytes = 0;
  const std::string place = "/proc/" + std::to_string(process);
  std::ifstream status(place + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) kilobytes = std::stoull(line.substr(6));
  std::uint64_t bytes = 1024 * kilobytes;
  std::ifstream children(place + "/task/" + std::to_string(process) + "/children");
  for (pid_t child = 0; children >> child;) bytes += held_at_most(child);
  return bytes;
}

}  // namespace

MeasuredResult run_measured(const std::vector<std::string>& arguments, const std::string& folder) {
  const TemporaryFolder streams;
  const std::string program = TWOFOLD_BINARY_DIR "/twofold";
  const std::string out = streams.path("out"), err = streams.path("err");
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // Not spawned: the peak of what a vfork shares its memory with would count as the program's.
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("cannot fork");
  if (process == 0) {
    const auto redirect = [](const char* path, int flags, int to) {
      const int descriptor = open(path, flags, 0600);
      if (descriptor < 0 || dup2(descriptor, to) < 0) _exit(126);
    };
    if (chdir(folder.c_str()) != 0) _exit(126);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect(out.c_str(), O_WRONLY | O_CREAT, STDOUT_FILENO);
    redirect(err.c_str(), O_WRONLY | O_CREAT, STDERR_FILENO);
    execv(program.c_str(), words.data());
    _exit(127);
  }
  MeasuredResult result;
  int status = 0;
  rusage usage{};
  while (wait4(process, &status, WNOHANG, &usage) == 0) {
    result.peak = std::max(result.peak, held_at_most(process));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  result.peak = std::max(result.peak, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

}  // namespace twofold::testing
