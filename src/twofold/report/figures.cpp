#include "twofold/report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace twofold::report {
namespace {

constexpr const char* kDigitSpace = "\u2007";
constexpr const char* kPointSpace = "\u2008";
constexpr const char* kThousands = "\u202f";

std::string repeat(const char* text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

// Characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string digits_in_all(double magnitude, int digits) {
  if (magnitude == 0) return "0";
  if (magnitude < 1e-4 || magnitude >= 1e9) return fmt::format("{:.{}e}", magnitude, digits - 1);
  // Rounding may give one more: 9.996 has three digits as 10.0.
  int places = digits - 1 - static_cast<int>(std::floor(std::log10(magnitude)));
  const double step = std::pow(10.0, -places);
  const double rounded = std::round(magnitude / step) * step;
  places = digits - 1 - static_cast<int>(std::floor(std::log10(rounded) + 1e-12));
  return fmt::format("{:.{}f}", places < 0 ? rounded : magnitude, std::max(0, places));
}

// 1234567.8 as 1 234 567.8; four digits stay together.
std::string with_thousands(const std::string& text) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (whole < 5 || text.find('e') != std::string::npos) return text;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) result += kThousands;
    result += text[i];
  }
  return result;
}

}  // namespace

std::string format_figure(double value, int decimals, bool with_sign) {
  if (std::isnan(value)) return "–";
  const char* sign = value < 0 ? "\u2212" : with_sign && value > 0 ? "+" : "";
  if (std::isinf(value)) return std::string(sign) + "∞";
  const double magnitude = std::abs(value);
  const std::string text =
      decimals < 0 ? digits_in_all(magnitude, -decimals) : fmt::format("{:.{}f}", magnitude, decimals);
  if (text.find_first_not_of("0.") == std::string::npos) sign = "";
  return sign + with_thousands(text);
}

std::string keep_figures_whole(const std::string& words) {
  std::string whole;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto follows = [&](const char* text) { return words.compare(i, std::strlen(text), text) == 0; };
    const bool starts_word = i == 0 || words[i - 1] == ' ';
    if (follows(" ± ") || follows(" = ")) {
      const std::string sign = words.substr(i + 1, words.find(' ', i + 1) - i - 1);
      whole += "\u00a0" + sign + "\u00a0";
      i += sign.size() + 1;
    } else if (follows(" σ")) {
      whole += "\u00a0";
    } else if (starts_word && words[i] == '-' && i + 1 < words.size() && words[i + 1] >= '0' &&
               words[i + 1] <= '9') {
      whole += "\u2212";
    } else {
      whole += words[i];
    }
  }
  return whole;
}

std::vector<std::string> align_points(std::vector<std::string> figures) {
  std::size_t longest = 0;
  bool any_point = false;
  const auto behind = [](const std::string& text) {
    const std::size_t point = text.find('.');
    return point == std::string::npos ? std::size_t{0} : length(text.substr(point + 1));
  };
  for (const std::string& text : figures) {
    longest = std::max(longest, behind(text));
    any_point = any_point || text.find('.') != std::string::npos;
  }
  for (std::string& text : figures) {
    const bool has_point = text.find('.') != std::string::npos;
    const std::size_t missing = longest - behind(text);
    if (any_point && !has_point) text += kPointSpace;
    text += repeat(kDigitSpace, missing);
  }
  return figures;
}

std::vector<std::string> align_fronts(std::vector<std::string> figures) {
  std::size_t longest = 0;
  for (const std::string& text : figures) longest = std::max(longest, length(text));
  for (std::string& text : figures) text.insert(0, repeat(kDigitSpace, longest - length(text)));
  return figures;
}

}  // namespace twofold::report
