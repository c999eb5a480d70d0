#include "twofold/base/interrupt.h"

#include <chrono>
#include <utility>

namespace twofold {
namespace {

constexpr long long kBetween = 20'000'000;  // nanoseconds

thread_local InterruptWatch* watch_of_thread = nullptr;

}  // namespace

InterruptWatch::InterruptWatch(std::function<void()> ask) : ask_(std::move(ask)), outer_(watch_of_thread) {
  watch_of_thread = this;
}

InterruptWatch::~InterruptWatch() { watch_of_thread = outer_; }

void InterruptWatch::ask_in_time() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  const long long now = std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  if (now < next_) return;
  next_ = now + kBetween;
  ask_();
}

void check_interrupt() {
  if (watch_of_thread != nullptr) watch_of_thread->ask_in_time();
}

}  // namespace twofold
