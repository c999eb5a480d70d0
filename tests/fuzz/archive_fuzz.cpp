// Any bytes as an archive: either its files come out within the limits, with names that stay inside, or an
// InputError.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  twofold::io::ArchiveLimits limits;
  limits.max_bytes = 1 << 22;
  limits.max_entries = 100;
  try {
    std::uint64_t total = 0;
    const auto files = twofold::io::unpack_archive(bytes, "fuzz", limits);
    for (const auto& file : files) {
      total += file.bytes.size();
      const std::string parts = "/" + file.name + "/";
      if (file.name.empty() || parts.find("/../") != std::string::npos || parts.find("//") != std::string::npos)
        std::abort();
    }
    if (total > limits.max_bytes || files.size() > limits.max_entries) std::abort();
  } catch (const twofold::InputError&) {
  }
  return 0;
}
