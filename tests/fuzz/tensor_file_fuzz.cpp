#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/record/tensor_file.h"

// Whatever is read survives writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const record::TensorFile file = record::decode_tensors(bytes, "fuzz");
    const record::TensorFile again = record::decode_tensors(record::encode_tensors(file), "again");
    if (again.config != file.config || again.tensors.size() != file.tensors.size()) std::abort();
    for (std::size_t i = 0; i < file.tensors.size(); ++i)
      if (again.tensors[i].name != file.tensors[i].name || again.tensors[i].bytes != file.tensors[i].bytes)
        std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
