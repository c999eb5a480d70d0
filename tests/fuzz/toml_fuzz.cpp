#include <cstdint>
#include <string>

#include "twofold/base/error.h"
#include "twofold/eval/grid.h"
#include "twofold/record/toml_reader.h"

// A text is read, or refused in words; as a file of options and as a grid.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    record::parse_toml(text, "fuzz.toml");
  } catch (const UsageError&) {
    return 0;
  }
  eval::GridRequest request;
  request.model = "wl-st";
  request.dataset = "NCI1";
  request.file_name = "fuzz.toml";
  request.file_text = text;
  try {
    eval::make_grid(request);
  } catch (const UsageError&) {
  }
  return 0;
}
