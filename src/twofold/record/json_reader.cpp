#include "twofold/record/json_reader.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "twofold/base/error.h"

namespace twofold::record {
namespace {

// Characters that count how many of them were read: nlohmann tells the place of its own errors only.
class CountedText {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedText(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  pointer operator->() const { return at_; }
  CountedText& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountedText operator++(int) {
    const CountedText before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountedText& a, const CountedText& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountedText& a, const CountedText& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

// Takes what the parser reads (nlohmann's SAX interface: false stops it) and puts the value together.
class Builder {
 public:
  Builder(std::string_view text, const std::string& source, std::size_t max_values)
      : text_(text), source_(source), left_(max_values) {}

  std::size_t* count() { return &count_; }
  Json take() { return std::move(root_); }

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool value) { return add(value) != nullptr; }
  bool number_integer(Json::number_integer_t value) { return add(value) != nullptr; }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value) != nullptr; }
  bool number_float(Json::number_float_t value, const std::string& token) {
    if (!std::isfinite(value)) fail("numbers below 1.8e308", in_quotes(token));
    return add(value) != nullptr;
  }
  bool string(std::string& value) { return add(std::move(value)) != nullptr; }
  bool binary(Json::binary_t&) { return false; }  // no part of the text form
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!open_.back().keys.insert(name).second) fail("each key once", fmt::format("{} twice", in_quotes(name)));
    key_ = std::move(name);
    return true;
  }
  template <typename Exception>
  bool parse_error(std::size_t, const std::string& last_token, const Exception& error) {
    const std::string words = error.what();
    const auto says = [&](const char* part) { return words.find(part) != std::string::npos; };
    if (error.id == 406) fail("numbers below 1.8e308", in_quotes(last_token));
    if (says("UTF-8")) fail("JSON in UTF-8", "other bytes");
    if (count_ >= text_.size() && says("unexpected end of input")) fail("JSON", "the end of the text");
    if (says("missing closing quote") && count_ >= text_.size()) fail("JSON", "a text without end");
    if (says("invalid string")) fail("JSON", fmt::format("the text {}", in_quotes(last_token)));
    fail("JSON", in_quotes(last_word()));
  }

 private:
  struct Open {
    Json* value;
    std::unordered_set<std::string> keys;
  };

  // Objects are vectors that look for a key from the front; here it is known to be new.
  Json* add(Json value) {
    if (left_ == 0) fail("fewer values", "more than can be meant");
    --left_;
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back().value;
    if (parent.is_array()) {
      auto& items = parent.get_ref<Json::array_t&>();
      items.push_back(std::move(value));
      return &items.back();
    }
    auto& members = parent.get_ref<Json::object_t&>();
    members.emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }

  // The end of what was read, from the last mark or space on.
  std::string last_word() const {
    const std::size_t end = std::min(count_, text_.size());
    std::size_t begin = end > 0 ? end - 1 : 0;
    while (begin > 0 && std::string_view(" \t\r\n,:[]{}\"").find(text_[begin - 1]) == std::string_view::npos)
      --begin;
    return std::string(text_.substr(begin, end - begin));
  }

  bool open(Json value) {
    if (open_.size() == kMaxJsonDepth)
      fail(fmt::format("lists and objects at most {} deep", kMaxJsonDepth), "deeper ones");
    Json* const added = add(std::move(value));
    open_.push_back({added, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  [[noreturn]] void fail(const std::string& needed, const std::string& found) const {
    const std::string_view read = text_.substr(0, std::min(count_, text_.size()));
    const auto line = static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n')) + 1;
    const std::size_t start = read.rfind('\n') + 1;  // npos + 1 is 0
    throw_input_error(source_, line, needed,
                      fmt::format("{} at byte {}", found, std::max<std::size_t>(read.size() - start, 1)));
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t left_;
  std::size_t count_ = 0;
  Json root_;
  // The lists and objects that are not closed yet. What lies in one does not move while it is open.
  std::vector<Open> open_;
  std::string key_;
};

std::string path_of(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : parent + "." + key;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source, std::size_t max_values) {
  Builder builder(text, source, max_values);
  const CountedText begin(text.data(), builder.count()), end(text.data() + text.size(), builder.count());
  const bool is_read = Json::sax_parse(begin, end, &builder);
  TWOFOLD_CHECK(is_read);  // whatever else there is throws
  return builder.take();
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string valid_utf8(const std::string& text) { return parse_json(json_text(text), "").get<std::string>(); }

std::string describe_json(const Json& value) {
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) return "the text " + in_quotes(value.get_ref<const std::string&>());
  return json_text(value);
}

void JsonView::refuse(const std::string& needed) const {
  refuse(needed, value_ == nullptr ? "nothing" : describe_json(*value_));
}

void JsonView::refuse(const std::string& needed, const std::string& found) const {
  throw_input_error(path_.empty() ? source_ : source_ + ": " + path_, 0, needed, found);
}

JsonView JsonView::at(const char* key) const {
  const Json& members = object();
  const auto found = members.find(key);
  return {found == members.end() ? nullptr : &*found, source_, path_of(path_, key)};
}

JsonView JsonView::item(std::size_t index) const {
  const Json& items = list();
  TWOFOLD_CHECK(index < items.size());
  return {&items[index], source_, fmt::format("{}[{}]", path_, index)};
}

const Json& JsonView::object() const {
  if (value_ == nullptr || !value_->is_object()) refuse("an object");
  return *value_;
}

const Json& JsonView::list() const {
  if (value_ == nullptr || !value_->is_array()) refuse("a list");
  return *value_;
}

std::string JsonView::text() const {
  if (value_ == nullptr || !value_->is_string()) refuse("a text");
  return value_->get<std::string>();
}

bool JsonView::flag() const {
  if (value_ == nullptr || !value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::uint64_t JsonView::count_in(std::uint64_t least, std::uint64_t most) const {
  // Integers are unsigned unless they are below zero, and floats beyond 64 bits.
  if (value_ == nullptr || !value_->is_number_unsigned() || value_->get<std::uint64_t>() < least ||
      value_->get<std::uint64_t>() > most)
    refuse(most == std::numeric_limits<std::uint64_t>::max()
               ? fmt::format("an integer from {} on", least)
               : fmt::format("an integer in {}..{}", least, most));
  return value_->get<std::uint64_t>();
}

double JsonView::number() const {
  if (value_ == nullptr || !value_->is_number()) refuse("a number");
  return value_->get<double>();
}

double JsonView::number_or_nan() const {
  if (value_ != nullptr && value_->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value_ == nullptr || !value_->is_number()) refuse("a number or null");
  return value_->get<double>();
}

std::vector<double> JsonView::numbers() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < size(); ++i)
    values.push_back((*value_)[i].is_number() ? (*value_)[i].get<double>() : item(i).number());
  return values;
}

std::vector<double> JsonView::numbers_or_nan() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < size(); ++i)
    values.push_back((*value_)[i].is_number() ? (*value_)[i].get<double>() : item(i).number_or_nan());
  return values;
}

std::vector<std::string> JsonView::texts() const {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < size(); ++i)
    values.push_back((*value_)[i].is_string() ? (*value_)[i].get<std::string>() : item(i).text());
  return values;
}

std::vector<std::int64_t> JsonView::integers(std::int64_t least, std::int64_t most) const {
  const auto fits = [&](const Json& value) {
    if (!value.is_number_integer()) return false;
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return false;
    return value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  };
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!fits((*value_)[i])) item(i).refuse(fmt::format("an integer in {}..{}", least, most));
    values.push_back((*value_)[i].get<std::int64_t>());
  }
  return values;
}

}  // namespace twofold::record
