#include "twofold/base/csv.h"

#include <charconv>

namespace twofold {
namespace {

bool is_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && stop == text.data() + text.size();
}

// Spreadsheets skip blanks in front of a formula, and take the full-width signs of East Asian keyboards too.
bool is_formula(std::string_view text) {
  const auto start = text.find_first_not_of(" \n\r\t");
  if (start == std::string_view::npos) return false;
  if (text[0] == '\t' || text[0] == '\r') return true;
  const std::string_view rest = text.substr(start);
  if (rest[0] == '=' || rest[0] == '+' || rest[0] == '-' || rest[0] == '@') return !is_number(rest);
  for (const std::string_view sign : {"＝", "＋", "－", "＠"})
    if (rest.substr(0, sign.size()) == sign) return true;
  return false;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell = is_formula(text) ? "'" : "";
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

}  // namespace twofold
