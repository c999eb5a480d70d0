#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace twofold::record {

using Json = nlohmann::ordered_json;

/// Lists and objects within each other; what twofold writes has 8 at most.
inline constexpr std::size_t kMaxJsonDepth = 64;

/// Reads JSON that someone else may have written: the one way to do so.
///
/// Throws InputError `SOURCE:LINE: needed …, found … at byte B` for whatever is no JSON, and for what JSON
/// allows but no reader of ours could treat rightly: nesting beyond kMaxJsonDepth (destroying or printing such
/// a value would recurse as deeply), a key twice in one object, a number beyond a double. No exception of
/// nlohmann's gets out. O(size) in time; memory up to 30 times the text's, so where that matters `max_values`
/// bounds the number of values.
Json parse_json(std::string_view text, const std::string& source,
                std::size_t max_values = static_cast<std::size_t>(-1));

/// The text of a value in UTF-8, whatever its bytes are: those that are none become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

/// The text with what is no UTF-8 in it replaced: what a name becomes that is written and read again.
std::string valid_utf8(const std::string& text);

/// A value within a JSON text, and where it stands: `run.json: dataset.name`. It may be missing; every getter
/// says what it needs, and throws InputError `run.json: dataset.name: needed a text, found nothing` if that is
/// not there. Owns nothing: valid as long as the value it was made from.
class JsonView {
 public:
  /// `path` is a name for a value that has none, as the list of a file.
  JsonView(const Json& value, std::string source, std::string path = "")
      : JsonView(&value, std::move(source), std::move(path)) {}

  bool is_there() const { return value_ != nullptr; }
  bool is_list() const { return is_there() && value_->is_array(); }
  /// Nothing for a key that an object does not have; throws if this is no object.
  JsonView at(const char* key) const;
  /// Throws if this is no list; needs index < size().
  JsonView item(std::size_t index) const;
  /// Of a list.
  std::size_t size() const { return list().size(); }

  const Json& object() const;
  const Json& list() const;
  std::string text() const;
  bool flag() const;
  std::uint64_t count(std::uint64_t most) const { return count_in(0, most); }
  std::uint64_t count_in(std::uint64_t least, std::uint64_t most) const;
  /// Finite, as all numbers are that parse_json gives.
  double number() const;
  /// A real number as records have it: NaN for null.
  double number_or_nan() const;
  std::vector<double> numbers() const;
  std::vector<double> numbers_or_nan() const;
  std::vector<std::string> texts() const;
  /// Integers in least..most.
  std::vector<std::int64_t> integers(std::int64_t least, std::int64_t most) const;

  /// Throws InputError naming this place, with the value as what was found.
  [[noreturn]] void refuse(const std::string& needed) const;
  [[noreturn]] void refuse(const std::string& needed, const std::string& found) const;
  const std::string& source() const { return source_; }

 private:
  JsonView(const Json* value, std::string source, std::string path)
      : value_(value), source_(std::move(source)), path_(std::move(path)) {}

  const Json* value_;
  std::string source_;
  std::string path_;
};

/// A value for a message: texts and numbers themselves, lists and objects by name.
std::string describe_json(const Json& value);

}  // namespace twofold::record
