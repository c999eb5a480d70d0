#include "twofold/base/digest.h"

#include <fmt/format.h>

#include <cstring>

namespace twofold {

void Digest::add(double value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  add(word);
}

void Digest::add(const std::string& text) {
  add(static_cast<std::uint64_t>(text.size()));
  for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

void Digest::add_bytes(std::string_view bytes) {
  add(static_cast<std::uint64_t>(bytes.size()));
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    add(word);
  }
  word = 0;
  if (bytes.empty()) return;
  std::memcpy(&word, bytes.data(), bytes.size());
  add(word);
}

std::string Digest::text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

}  // namespace twofold
