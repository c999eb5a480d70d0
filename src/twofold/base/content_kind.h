#pragma once

#include <string>
#include <string_view>

namespace twofold {

/// What a file seems to be, by its first bytes, for an error message: `a PNG image`, `a CSV table`,
/// `a Matrix Market file`, `text that starts 'hello'`, `binary data`, `an empty file`.
///
/// Never fails and never gives bytes of the file unescaped. Looks at 4096 bytes at most.
/// A guess, for people: readers decide by the formats' own rules whether they take a file.
std::string describe_content(std::string_view bytes);

/// True where describe_content() recognizes a definite kind, not only text or binary data.
bool is_known_content(std::string_view bytes);

}  // namespace twofold
