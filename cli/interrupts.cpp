#include "cli/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <memory>
#include <vector>

#include "twofold/base/file.h"

namespace twofold::cli {
namespace {

std::atomic<const char*> last_words{nullptr};

extern "C" void leave(int) {
  remove_unfinished_files();
  const char* text = last_words.load();
  if (text != nullptr && write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(130);
  _exit(130);
}

void mask_interrupts(int how) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  sigprocmask(how, &both, nullptr);
}

}  // namespace

void leave_on_interrupts() {
  std::signal(SIGINT, leave);
  std::signal(SIGTERM, leave);
  release_interrupts();
}

void hold_interrupts() { mask_interrupts(SIG_BLOCK); }
void release_interrupts() { mask_interrupts(SIG_UNBLOCK); }

void say_when_interrupted(const std::string& text) {
  // A handler may be reading the last ones, so none is ever freed; there are a few in a process's life.
  static std::vector<std::unique_ptr<std::string>>& said = *new std::vector<std::unique_ptr<std::string>>;
  said.push_back(std::make_unique<std::string>(text));
  last_words.store(said.back()->c_str());
}

}  // namespace twofold::cli
