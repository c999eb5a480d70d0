#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/train/model_file.h"

// A network or checkpoint that can be read is the same after writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const std::string once = train::encode_network(train::decode_network(bytes, "fuzz"));
    if (train::encode_network(train::decode_network(once, "again")) != once) std::abort();
  } catch (const InputError&) {
  }
  try {
    const std::string once = train::encode_checkpoint(train::decode_checkpoint(bytes, "fuzz"));
    if (train::encode_checkpoint(train::decode_checkpoint(once, "again")) != once) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
