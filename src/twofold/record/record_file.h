#pragma once

#include <string>
#include <string_view>

#include "twofold/record/json_reader.h"

namespace twofold::record {

/// The text of a record file: the JSON object with the checksum of all its content as the last key, `checksum`.
/// Needs an object without that key. The same content gives the same bytes.
std::string encode_record(Json content, int indent = -1);

enum class Checksum {
  kRequired,
  kIfThere,  // run folders of format 1 have none
};

/// The reverse; the result is an object without the checksum. Spaces between values do not count. Throws
/// InputError naming `source` for what is no such text, or was damaged or edited since it was written.
Json decode_record(std::string_view text, const std::string& source, Checksum checksum = Checksum::kIfThere);

/// Of a file; throws Error if it cannot be read.
Json read_record(const std::string& path, Checksum checksum = Checksum::kIfThere);

}  // namespace twofold::record
