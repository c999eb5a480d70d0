#include "twofold/base/clock.h"

#include <ctime>

namespace twofold {

double seconds_on(Clock clock) {
  timespec now{};
  clock_gettime(clock == Clock::kCpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace twofold
