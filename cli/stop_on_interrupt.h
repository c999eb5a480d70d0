#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

namespace twofold::cli {

/// While it lives, the first interrupt (SIGINT, SIGTERM) only asks the long work to stop; a second one ends the
/// program as usual. One at a time.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt() { restore(); }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  /// Whether there was an interrupt, after which signals do again what they did before.
  bool is_asked();
  /// Whether there was an interrupt since the last of these was made; from any thread.
  static bool was_asked();

 private:
  void restore();
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  bool is_restored_ = false;
};

/// Calls `save` after an interrupt, from a thread of its own, unless it ends before `patience` has passed: a
/// rank may wait for one that is gone, within MPI too, where it hears nothing, and mpirun ends it a second
/// later. Needs a StopOnInterrupt that lives as long.
class SaveInTime {
 public:
  SaveInTime(std::chrono::milliseconds patience, std::function<void()> save);
  ~SaveInTime();
  SaveInTime(const SaveInTime&) = delete;
  SaveInTime& operator=(const SaveInTime&) = delete;

 private:
  void watch(std::chrono::milliseconds patience, const std::function<void()>& save);

  std::mutex guard_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace twofold::cli
