#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/npy.h"

// Whatever is read is lines, one per string; of pickled strings, which may come several times, not many times
// the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  try {
    const std::string lines = io::read_npy_lines({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (lines.size() > 32 * size + 1024 || (!lines.empty() && lines.back() != '\n')) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
