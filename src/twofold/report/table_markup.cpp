#include "twofold/report/table_markup.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

// Plain ASCII letters, as programs for papers take them.
std::string clean(const std::string& text) {
  std::string result = clean_text(text);
  const std::string replaced = "\xEF\xBF\xBD";
  for (std::size_t at = result.find(replaced); at != std::string::npos; at = result.find(replaced, at))
    result.replace(at, replaced.size(), "?");
  return result;
}

std::string figure(double value, int decimals) {
  if (decimals >= 0) return fmt::format("{:.{}f}", value, decimals);
  return fmt::format("{:#.{}g}", value, -decimals);
}

// In LaTeX's mathematics: 1.2e-05 as 1.2 \times 10^{-5}.
std::string latex_figure(double value, int decimals) {
  std::string text = figure(value, decimals);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\times 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string latex_cell(const Column& column, const Cell& cell) {
  if (cell.kind == Cell::Kind::kText || cell.kind == Cell::Kind::kMark) return escape_latex(cell.text);
  if (cell.kind == Cell::Kind::kEmpty || !std::isfinite(cell.value)) return "--";
  const std::string mean = latex_figure(cell.value, column.decimals);
  const bool has_spread = cell.kind == Cell::Kind::kMeanStd && std::isfinite(cell.std);
  return "$" + mean + (has_spread ? " \\pm " + latex_figure(cell.std, column.decimals) : "") + "$";
}

std::string markdown_cell(const Column& column, const Cell& cell) {
  if (cell.kind == Cell::Kind::kText || cell.kind == Cell::Kind::kMark) return escape_markdown(cell.text);
  if (cell.kind == Cell::Kind::kEmpty || !std::isfinite(cell.value)) return "–";
  std::string text = figure(cell.value, column.decimals);
  if (cell.kind == Cell::Kind::kMeanStd && std::isfinite(cell.std))
    text += " ± " + figure(cell.std, column.decimals);
  return text;
}

using CellText = std::string (*)(const Column&, const Cell&);

// The cells of a row with `between` them.
std::string joined(const Table& table, std::size_t r, CellText text, const char* between) {
  std::string line;
  for (std::size_t c = 0; c < table.columns().size(); ++c)
    line += (c == 0 ? "" : between) + text(table.columns()[c], table.row(r)[c]);
  return line;
}

}  // namespace

std::string escape_latex(const std::string& text) {
  std::string result;
  for (const char c : clean(text)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '"':
        result += "\\char34{}";
        break;
      case '\'':
        result += "\\textquotesingle{}";
        break;
      case '`':
        result += "\\textasciigrave{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        result += std::string("\\") + c;
        break;
      // After the end of a row these would be taken for its options.
      case '[':
      case '*':
        result += std::string("{") + c + "}";
        break;
      // Two would become one dash.
      case '-':
        result += !result.empty() && result.back() == '-' ? "{}-" : "-";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escape_markdown(const std::string& text) {
  std::string result;
  for (const char c : clean(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (std::strchr("\\`*_[]{}#!|>~$", c) != nullptr)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string to_latex(const Table& table, const std::string& words) {
  std::string latex = "% " + clean(words) + " Needs \\usepackage{booktabs}.\n\\begin{tabular}{";
  for (const Column& column : table.columns()) latex += column.kind == Column::Kind::kText ? "l" : "c";
  latex += "}\n\\toprule\n";
  for (std::size_t c = 0; c < table.columns().size(); ++c)
    latex += (c == 0 ? "" : " & ") + escape_latex(table.columns()[c].title);
  latex += " \\\\\n\\midrule\n";
  for (std::size_t r = 0; r < table.num_rows(); ++r) latex += joined(table, r, latex_cell, " & ") + " \\\\\n";
  return latex + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_markdown(const Table& table, const std::string& words) {
  std::string markdown = "|", line = "|";
  for (const Column& column : table.columns()) {
    markdown += " " + escape_markdown(column.title) + " |";
    line += column.kind == Column::Kind::kText ? "---|" : "---:|";
  }
  markdown += "\n" + line + "\n";
  for (std::size_t r = 0; r < table.num_rows(); ++r)
    markdown += "| " + joined(table, r, markdown_cell, " | ") + " |\n";
  return markdown + "\n" + escape_markdown(words) + "\n";
}

}  // namespace twofold::report
