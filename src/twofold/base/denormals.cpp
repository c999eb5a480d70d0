#include "twofold/base/denormals.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace twofold {
namespace {

// The thread's control register, and its bits that flush results and read operands as 0.
#if defined(__x86_64__)
constexpr std::uint64_t kFlush = 0x8040;
std::uint64_t control() { return _mm_getcsr(); }
void set_control(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;
std::uint64_t control() {
  std::uint64_t bits = 0;
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control(std::uint64_t bits) { __asm__ __volatile__("msr fpcr, %0" : : "r"(bits)); }
#else
constexpr std::uint64_t kFlush = 0;
std::uint64_t control() { return 0; }
void set_control(std::uint64_t) {}
#endif

}  // namespace

FlushDenormals::FlushDenormals(bool on) : before_(control()) {
  const std::uint64_t wanted = on ? before_ | kFlush : before_ & ~kFlush;
  if (wanted != before_) set_control(wanted);
}

FlushDenormals::~FlushDenormals() {
  // Flags of exceptions that came meanwhile stay.
  const std::uint64_t now = control();
  const std::uint64_t wanted = (now & ~kFlush) | (before_ & kFlush);
  if (wanted != now) set_control(wanted);
}

bool FlushDenormals::is_on() { return kFlush != 0 && (control() & kFlush) == kFlush; }

}  // namespace twofold
