#pragma once

namespace twofold {

enum class Clock {
  kWall,  // steady: what people wait for
  kCpu,   // what all threads of this process computed, whoever else was at work
};

/// Since some fixed moment.
double seconds_on(Clock clock);

}  // namespace twofold
