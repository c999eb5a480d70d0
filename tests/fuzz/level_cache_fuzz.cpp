#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "twofold/base/error.h"
#include "twofold/levels/level_cache.h"

namespace {

template <typename Item>
void read(const std::string& path, const twofold::levels::LevelKey& key) {
  try {
    twofold::levels::read_levels<Item>(path, key).check();
  } catch (const twofold::InputError&) {
  }
}

}  // namespace

// Levels that can be read keep their promises. What any file has right, its size and key, is put right first.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  static const int file = memfd_create("levels", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  constexpr std::size_t kKeyAt = 16, kSizeAt = 40;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  levels::LevelKey key{};
  if (size >= kSizeAt + 8) {
    std::memcpy(key.data(), bytes.data() + kKeyAt, sizeof key);
    const std::uint64_t length = size;
    std::memcpy(bytes.data() + kSizeAt, &length, sizeof length);
  }
  if (ftruncate(file, 0) != 0 || pwrite(file, bytes.data(), size, 0) != static_cast<ssize_t>(size))
    std::abort();
  read<levels::RowPair>(path, key);
  read<levels::Row>(path, key);
  return 0;
}
