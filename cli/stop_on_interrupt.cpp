#include "cli/stop_on_interrupt.h"

#include <atomic>
#include <utility>

namespace twofold::cli {
namespace {

std::atomic<bool> g_stop{false};
extern "C" void ask_to_stop(int) { g_stop = true; }

}  // namespace

StopOnInterrupt::StopOnInterrupt() {
  g_stop = false;
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

bool StopOnInterrupt::is_asked() {
  if (g_stop) restore();
  return g_stop;
}

bool StopOnInterrupt::was_asked() { return g_stop; }

void StopOnInterrupt::restore() {
  if (is_restored_) return;
  is_restored_ = true;
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

SaveInTime::SaveInTime(std::chrono::milliseconds patience, std::function<void()> save)
    : thread_([this, patience, save = std::move(save)] { watch(patience, save); }) {}

SaveInTime::~SaveInTime() {
  {
    const std::lock_guard<std::mutex> lock(guard_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SaveInTime::watch(std::chrono::milliseconds patience, const std::function<void()>& save) {
  constexpr std::chrono::milliseconds kPause{20};
  std::unique_lock<std::mutex> lock(guard_);
  const auto is_over = [&] { return is_over_; };
  while (!g_stop)
    if (changed_.wait_for(lock, kPause, is_over)) return;
  if (!changed_.wait_for(lock, patience, is_over)) save();
}

}  // namespace twofold::cli
