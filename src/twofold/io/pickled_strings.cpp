#include "twofold/io/pickled_strings.h"

#include <cstdint>
#include <unordered_map>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

// Arrays of pairs are tuples in an array; nothing deeper is a list of graphs.
constexpr int kDeepest = 4;

struct Value {
  enum class Kind { kOther, kText, kItems, kName, kArray };
  Kind kind = Kind::kOther;
  std::string_view text = {};        // of a text, or MODULE NAME
  std::vector<std::uint32_t> items;  // of a tuple, a list, or an array: numbers of values
};

// Follows the instructions of a pickle (the module pickletools of Python lists them) as far as strings need.
class PickleReader {
 public:
  PickleReader(std::string_view pickle, const std::string& source) : pickle_(pickle), source_(source) {}

  std::vector<std::string_view> strings(std::size_t count) {
    while (follow()) {
    }
    const std::uint32_t array = pop();
    if (values_[array].kind != Value::Kind::kArray) fail("an array of strings", "something else");
    if (values_[array].items.size() != count)
      fail(fmt::format("{} strings, as the header says", count),
           fmt::format("{}", values_[array].items.size()));
    collect(array, 0);
    return std::move(found_);
  }

 private:
  [[noreturn]] void fail(const std::string& needed, const std::string& found) const {
    throw_input_error(source_, 0, needed, found + " in the pickled array");
  }

  std::string_view take(std::uint64_t size) {
    if (size > pickle_.size() - at_) fail("a whole file", "a shortened one");
    at_ += size;
    return pickle_.substr(at_ - size, size);
  }
  std::uint64_t number(std::size_t bytes) {
    const std::string_view digits = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }
  std::string_view line() {
    const std::size_t end = pickle_.find('\n', at_);
    if (end == std::string_view::npos) fail("a whole file", "a shortened one");
    const std::string_view found = take(end - at_);
    take(1);
    return found;
  }

  void push(Value value) {
    values_.push_back(std::move(value));
    stack_.push_back(static_cast<std::uint32_t>(values_.size() - 1));
  }
  void push_text(std::uint64_t size) { push({Value::Kind::kText, take(size), {}}); }
  void push_other() { push({}); }
  // What is above the last mark stays there.
  std::uint32_t top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("values", "none");
    return stack_.back();
  }
  std::uint32_t pop() {
    const std::uint32_t value = top();
    stack_.pop_back();
    return value;
  }
  std::vector<std::uint32_t> pop_to_mark() {
    if (marks_.empty()) fail("a mark", "none");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<std::uint32_t> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }
  void push_tuple(std::size_t size) {
    std::vector<std::uint32_t> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = pop();
    push({Value::Kind::kItems, {}, std::move(items)});
  }
  void append(std::uint32_t list, const std::vector<std::uint32_t>& items) {
    if (values_[list].kind != Value::Kind::kItems) fail("a list", "something else");
    values_[list].items.insert(values_[list].items.end(), items.begin(), items.end());
  }

  void push_name(std::string_view module, std::string_view name) {
    const bool is_numpy = module == "numpy.core.multiarray" || module == "numpy._core.multiarray";
    const bool is_known = (is_numpy && name == "_reconstruct") ||
                          (module == "numpy" && (name == "ndarray" || name == "dtype")) ||
                          (module == "_codecs" && name == "encode");
    if (!is_known)
      throw_input_error(
          source_, 0, "an array of strings (in Python: numpy.save(FILE, array.astype('S')))",
          fmt::format("Python objects of another kind ({}), which are not read", in_quotes(std::string(name))));
    push({Value::Kind::kName, name, {}});
  }

  // What a call would give: an empty array or type, or the text that is to be encoded.
  void call() {
    const std::uint32_t arguments = pop();
    const std::uint32_t callee = pop();
    if (values_[callee].kind != Value::Kind::kName || values_[arguments].kind != Value::Kind::kItems)
      fail("a name and what it is called with", "something else");
    const std::string_view name = values_[callee].text;
    if (name == "_reconstruct") {
      push({Value::Kind::kArray, {}, {}});
    } else if (name == "encode") {
      const std::vector<std::uint32_t>& items = values_[arguments].items;
      if (items.empty() || values_[items[0]].kind != Value::Kind::kText) fail("a text", "something else");
      const std::string_view text = values_[items[0]].text;
      push({Value::Kind::kText, text, {}});
    } else {
      push_other();
    }
  }

  // An array's state: version, shape, type, whether in Fortran order, elements.
  void build() {
    const std::uint32_t state = pop();
    Value& made = values_[top()];
    if (made.kind != Value::Kind::kArray) return;
    const std::vector<std::uint32_t>& fields = values_[state].items;
    if (values_[state].kind != Value::Kind::kItems || fields.size() != 5 ||
        values_[fields[4]].kind != Value::Kind::kItems)
      fail("an array of Python objects", "another one");
    made.items = values_[fields[4]].items;
  }

  void remember(std::uint64_t number) { memo_[number] = top(); }
  void recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) fail("a value that was kept", "none");
    stack_.push_back(found->second);
  }

  // One instruction; false at the end.
  bool follow() {
    const char code = take(1)[0];
    switch (static_cast<unsigned char>(code)) {
      case 0x80:  // PROTO
        take(1);
        return true;
      case 0x95:  // FRAME
        take(8);
        return true;
      case '.':
        return false;
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case 'N':
      case 0x88:
      case 0x89:  // None, True, False
        push_other();
        return true;
      case 'K':
        take(1);
        push_other();
        return true;
      case 'M':
        take(2);
        push_other();
        return true;
      case 'J':
        take(4);
        push_other();
        return true;
      case 'C':   // SHORT_BINBYTES
      case 'U':   // SHORT_BINSTRING
      case 0x8c:  // SHORT_BINUNICODE
        push_text(number(1));
        return true;
      case 'B':  // BINBYTES
      case 'T':  // BINSTRING
      case 'X':  // BINUNICODE
        push_text(number(4));
        return true;
      case 0x8d:  // BINUNICODE8
      case 0x8e:  // BINBYTES8
        push_text(number(8));
        return true;
      case ')':
        push_tuple(0);
        return true;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(static_cast<std::size_t>(static_cast<unsigned char>(code) - 0x84));
        return true;
      case 't':
        push({Value::Kind::kItems, {}, pop_to_mark()});
        return true;
      case ']':
        push_tuple(0);
        return true;
      case 'a': {
        const std::uint32_t item = pop();
        append(top(), {item});
        return true;
      }
      case 'e': {
        const std::vector<std::uint32_t> items = pop_to_mark();
        append(top(), items);
        return true;
      }
      case 'c': {  // GLOBAL
        const std::string_view module = line();
        push_name(module, line());
        return true;
      }
      case 0x93: {  // STACK_GLOBAL
        const std::uint32_t name = pop();
        const std::uint32_t module = pop();
        if (values_[name].kind != Value::Kind::kText || values_[module].kind != Value::Kind::kText)
          fail("a name", "something else");
        push_name(values_[module].text, values_[name].text);
        return true;
      }
      case 'R':
        call();
        return true;
      case 'b':
        build();
        return true;
      case 0x94:
        remember(memo_.size());
        return true;
      case 'q':
        remember(number(1));
        return true;
      case 'r':
        remember(number(4));
        return true;
      case 'h':
        recall(number(1));
        return true;
      case 'j':
        recall(number(4));
        return true;
      default:
        fail("instructions that make strings and lists",
             fmt::format("0x{:02x} at byte {}", static_cast<unsigned char>(code), at_ - 1));
    }
  }

  // A list can be in itself, and a string in a list many times: what is visited is bounded by what is there.
  void collect(std::uint32_t value, int depth) {
    const Value& found = values_[value];
    if (depth > kDeepest) fail("strings", "lists within lists");
    if (found.kind == Value::Kind::kText) {
      bytes_ += found.text.size();
      if (bytes_ > 16 * (pickle_.size() + 16)) fail("each string once", "one many times");
      found_.push_back(found.text);
      return;
    }
    if (found.kind != Value::Kind::kItems && found.kind != Value::Kind::kArray)
      fail("strings", fmt::format("something else as element {}", found_.size() + 1));
    for (const std::uint32_t item : found.items) {
      if (++visits_ > 16 * (pickle_.size() + 16)) fail("each string once", "one many times");
      collect(item, depth + 1);
    }
  }

  std::string_view pickle_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::vector<Value> values_;
  // Numbers of values; where marks stand in it; what was kept under a number.
  std::vector<std::uint32_t> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, std::uint32_t> memo_;
  std::vector<std::string_view> found_;
  std::uint64_t bytes_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace

std::vector<std::string_view> read_pickled_strings(std::string_view pickle, std::size_t count,
                                                   const std::string& source) {
  return PickleReader(pickle, source).strings(count);
}

}  // namespace twofold::io
