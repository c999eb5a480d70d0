#pragma once

#include <functional>

namespace twofold {

/// As long as it lives, long work on this thread asks `ask` a few dozen times a second whether to go on; what
/// `ask` throws ends the work. The parallel loops ask between items, serial work now and then.
///
/// An exception that is no std::exception passes everything that handles errors. Objects nest; the innermost
/// is asked.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::function<void()> ask);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  friend void check_interrupt();
  void ask_in_time();

  std::function<void()> ask_;
  InterruptWatch* outer_;
  long long next_ = 0;  // in nanoseconds of the steady clock
};

/// For work that takes long on one thread: asks the watch of this thread, if there is one and it is time. Takes
/// a nanosecond without a watch, some dozen with one.
void check_interrupt();

}  // namespace twofold
