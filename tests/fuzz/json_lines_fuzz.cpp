#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/json_lines.h"

// Whatever is read is a sound dataset and survives writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Dataset dataset = io::read_json_lines(text, "fuzz", 1, {1u << 20});
    dataset.check();
    std::string written;
    io::write_json_lines(dataset, [&](std::string_view line) { written += line; });
    if (!(io::read_json_lines(written, "again", 1) == dataset)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
