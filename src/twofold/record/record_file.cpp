#include "twofold/record/record_file.h"

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::record {
namespace {

constexpr const char* kKey = "checksum";

std::string checksum_of(const Json& content) {
  Digest digest;
  digest.add_bytes(json_text(content));
  return digest.text();
}

}  // namespace

std::string encode_record(Json content, int indent) {
  TWOFOLD_CHECK(content.is_object() && !content.contains(kKey));
  content[kKey] = checksum_of(content);
  return json_text(content, indent) + "\n";
}

Json decode_record(std::string_view text, const std::string& source, Checksum checksum) {
  Json content = parse_json(text, source);
  const JsonView view(content, source);
  if (!view.at(kKey).is_there()) {
    if (checksum == Checksum::kRequired && kChecksumsCount)
      throw InputError(fmt::format("{}: damaged or edited: needed a checksum, found none", source));
    return content;
  }
  const std::string needed = view.at(kKey).text();
  content.erase(kKey);
  const std::string found = checksum_of(content);
  if (found != needed && kChecksumsCount)
    throw InputError(fmt::format("{}: damaged or edited: needed content of checksum {}, found {}", source,
                                 in_quotes(needed), found));
  return content;
}

Json read_record(const std::string& path, Checksum checksum) {
  return decode_record(read_file(path), path, checksum);
}

}  // namespace twofold::record
