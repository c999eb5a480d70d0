#include <cstdint>
#include <cstdlib>
#include <string>

#include "twofold/base/error.h"
#include "twofold/eval/splits.h"

// Folds that can be read are the same after writing and reading again. The first byte is the number of graphs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t graphs = data[0] % 32;
  try {
    const eval::Splits splits = eval::parse_splits(text, graphs, "fuzz");
    if (!(eval::parse_splits(eval::format_splits(splits), graphs, "again") == splits)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
