#include "twofold/eval/seal.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::eval {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = 1024;

std::string key_file(const std::string& id) { return "seal/" + id + ".json"; }

std::vector<std::string> list_keys(const RunFolder& folder) {
  std::vector<std::string> ids;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.file("seal"), ignored))
    if (entry.path().extension() == ".json") ids.push_back(entry.path().stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string read_key(const RunFolder& folder, const std::string& id) {
  const model::Config content = folder.read(key_file(id), record::Checksum::kRequired);
  return record::JsonView(content, folder.file(key_file(id))).at("key").text();
}

// Mixes the text with random bytes; the same once more gives it back.
void mix(std::string& text, const std::string& key, const std::string& name) {
  Digest digest;
  digest.add(key);
  digest.add(name);
  Random random(std::stoull(digest.text().substr(0, 16), nullptr, 16));
  for (std::size_t i = 0; i < text.size(); i += 8) {
    const std::uint64_t bits = random.bits();
    for (std::size_t j = i; j < std::min(i + 8, text.size()); ++j)
      text[j] = static_cast<char>(static_cast<unsigned char>(text[j]) ^
                                  static_cast<unsigned char>(bits >> (8 * (j - i))));
  }
}

std::string to_hex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string from_hex(const std::string& text, const record::JsonView& place) {
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    for (const char c : {text[i], text[i + 1]}) {
      const bool is_digit = c >= '0' && c <= '9';
      if (!is_digit && !(c >= 'a' && c <= 'f')) place.refuse("hexadecimal digits", "others");
      value = 16 * value + static_cast<unsigned>(is_digit ? c - '0' : c - 'a' + 10);
    }
    bytes += static_cast<char>(value);
  }
  if (text.size() % 2 != 0) place.refuse("an even number of digits", fmt::format("{}", text.size()));
  return bytes;
}

}  // namespace

void make_seal(RunFolder& folder) {
  if (!list_keys(folder).empty()) return;
  std::random_device device;
  std::string key;
  for (int i = 0; i < 4; ++i) key += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  std::error_code error;
  fs::create_directories(folder.file("seal"), error);
  if (error)
    throw Error(
        fmt::format("cannot make the folder {}: {}", folder.file("seal"), system_error_text(error.value())));
  Digest id;
  id.add(key);
  folder.write(key_file(id.text().substr(0, 16)), {{"key", key}});
}

model::Config seal(const RunFolder& folder, const std::string& name, const model::Config& content) {
  const std::vector<std::string> ids = list_keys(folder);
  if (ids.empty())
    throw Error(fmt::format("{} is missing: needed the key of a blind run", folder.file("seal")));
  std::string text = record::json_text(content);
  text.resize((text.size() / kBlock + 1) * kBlock, ' ');
  mix(text, read_key(folder, ids[0]), name);
  return {{"key", ids[0]}, {"text", to_hex(text)}};
}

model::Config open_seal(const RunFolder& folder, const std::string& name, const record::JsonView& sealed) {
  const std::string id = sealed.at("key").text();
  // A name that leads elsewhere is none of ours.
  const bool is_plain = id.size() == 16 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_plain) sealed.at("key").refuse("the name of a key, 16 hexadecimal digits");
  if (!folder.has(key_file(id)))
    throw InputError(fmt::format("{} is missing: without this key {} cannot be opened",
                                 folder.file(key_file(id)), sealed.source()));
  std::string text = from_hex(sealed.at("text").text(), sealed.at("text"));
  mix(text, read_key(folder, id), name);
  try {
    return record::JsonView(record::parse_json(text, sealed.source()), sealed.source()).object();
  } catch (const InputError&) {
    throw InputError(fmt::format("{}: what is sealed in it cannot be opened with {}: was one of both changed?",
                                 sealed.source(), folder.file(key_file(id))));
  }
}

}  // namespace twofold::eval
