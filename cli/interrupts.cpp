#include "cli/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

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

void say_when_interrupted(const char* text) { last_words = text; }

}  // namespace twofold::cli
