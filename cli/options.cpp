#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::cli {
namespace {

// The number in `text`, within the limits of `value`; an unsigned type takes no sign.
template <typename Number>
Number to_number(const std::string& text, double least, double most) {
  constexpr bool kIsReal = std::is_floating_point_v<Number>;
  const char* const kind = kIsReal ? "a number" : "an integer";
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  bool fits = error == std::errc() && stop == end && !text.empty();
  if (fits && least < most) fits = static_cast<double>(number) >= least && static_cast<double>(number) <= most;
  if constexpr (kIsReal) fits = fits && std::isfinite(number);
  if (fits) return number;
  if (least < most)
    throw UsageError(fmt::format("needed {} in {}..{}, found {}", kind, least, most, in_quotes(text)));
  if (std::is_unsigned_v<Number>)
    throw UsageError(
        fmt::format("needed {} in 0..{}, found {}", kind, std::numeric_limits<Number>::max(), in_quotes(text)));
  throw UsageError(fmt::format("needed {}, found {}", kind, in_quotes(text)));
}

}  // namespace

// What all numbers share: `assign` gets one that lies within the limits.
template <typename Number, typename Assign>
static auto number_taker(const double& least, const double& most, Assign assign) {
  return [&least, &most, assign](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) assign(to_number<Number>(text, least, most));
  };
}

Option& Options::add(const std::string& names, std::string& value, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = [&value](const std::vector<std::string>& texts) { value = texts.back(); };
  how->shown = [&value] { return value; };
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, int& value, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = number_taker<int>(how->least, how->most, [&value](int number) { value = number; });
  how->shown = [&value] { return fmt::format("{}", value); };
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, std::uint64_t& value, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = number_taker<std::uint64_t>(how->least, how->most, [&value](auto number) { value = number; });
  how->shown = [&value] { return fmt::format("{}", value); };
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, double& value, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = number_taker<double>(how->least, how->most, [&value](double number) { value = number; });
  how->shown = [&value] { return fmt::format("{}", value); };
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, std::optional<std::uint64_t>& value,
                     const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = number_taker<std::uint64_t>(how->least, how->most, [&value](auto number) { value = number; });
  how->shown = [&value] { return value ? fmt::format("{}", *value) : std::string(); };
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, std::vector<std::string>& values, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = [&values](const std::vector<std::string>& texts) { values = texts; };
  how->shown = [&values] { return fmt::format("{}", fmt::join(values, ",")); };
  how->is_list = true;
  return add_value(names, std::move(how), meaning);
}

Option& Options::add(const std::string& names, std::vector<std::uint64_t>& values, const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = [&values, numbers = how.get()](const std::vector<std::string>& texts) {
    values.clear();
    for (const std::string& text : texts)
      values.push_back(to_number<std::uint64_t>(text, numbers->least, numbers->most));
  };
  how->shown = [&values] { return fmt::format("{}", fmt::join(values, ",")); };
  how->is_list = true;
  return add_value(names, std::move(how), meaning);
}

Option& Options::add_call(const std::string& names, std::function<void(const std::string&)> take,
                          const std::string& meaning) {
  auto how = std::make_shared<Value>();
  how->take = [take = std::move(take)](const std::vector<std::string>& texts) { take(texts.back()); };
  how->shown = [] { return std::string(); };
  return add_value(names, std::move(how), meaning);
}

Option* Options::find(const std::string& name) const {
  for (const auto& option : all_)
    for (const std::string& known : long_names(option->text()))
      if (known == name) return option.get();
  return nullptr;
}

std::vector<std::string> long_names(const OptionText& option) {
  std::vector<std::string> names;
  std::size_t start = 0;
  while (start < option.names.size()) {
    const std::size_t comma = std::min(option.names.find(',', start), option.names.size());
    if (option.names.compare(start, 2, "--") == 0)
      names.push_back(option.names.substr(start + 2, comma - start - 2));
    start = comma + 1;
  }
  return names;
}

void declare_json(Options& flags, bool& json) {
  flags.add_flag("--json", json, "Print the result as one JSON object");
}

void declare_quiet(Options& flags, bool& quiet) {
  flags.add_flag("-q,--quiet", quiet, "Say nothing but results and errors");
}

void declare_threads(Options& flags, int& threads) {
  flags.add("--threads", threads, "Threads to use; 0 takes all. Changes the speed only")
      .range(0, 4096)
      .show_default()
      .type_name("N");
}

void declare_seed(Options& flags, std::uint64_t& seed) {
  flags.add("--seed", seed, "Every random choice follows from it").show_default().type_name("N");
}

Option& declare_output(Options& flags, std::string& path, const std::string& meaning) {
  return flags.add("-o,--output", path, meaning).type_name("PATH");
}

void declare_max_memory(Options& flags, std::uint64_t& bytes) {
  flags
      .add_call(
          "--max-memory", [&bytes](const std::string& text) { bytes = parse_bytes(text); },
          "Stop before using more, e.g. 8G [nine tenths of the machine's]")
      .type_name("SIZE");
}

}  // namespace twofold::cli
