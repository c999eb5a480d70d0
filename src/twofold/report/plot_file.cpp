#include "twofold/report/plot_file.h"

#include <fmt/format.h>

#include "twofold/report/filter.h"
#include "twofold/report/gnuplot_script.h"

namespace twofold::report {
namespace {

constexpr double kPixelsPerInch = 96;
constexpr std::size_t kLongestWord = 60;

// Cairo writes when it was made. Zeros take as much room, so every place in the file stays where it was.
void remove_date(std::string& pdf) {
  const std::string key = "/CreationDate (D:";
  for (std::size_t at = pdf.find(key); at != std::string::npos; at = pdf.find(key, at + key.size()))
    for (std::size_t i = at + key.size(); i < pdf.size() && pdf[i] >= '0' && pdf[i] <= '9'; ++i) pdf[i] = '0';
}

}  // namespace

std::string file_word(const std::string& words) {
  std::string word;
  for (const char c : words) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '_' || c == '.';
    if (is_plain || word.empty() || word.back() != '-') word += is_plain ? c : '-';
  }
  const std::size_t first = word.find_first_not_of("-.");
  word = first == std::string::npos ? "plot" : word.substr(first, kLongestWord);
  return word;
}

PlotFiles draw_plot_files(const Plot& plot, const std::string& name) {
  const GnuplotScript script = write_script(plot, ScriptFor::kFile);
  const std::string svg = fmt::format(
      "set terminal svg size {:.0f},{:.0f} noenhanced font 'sans-serif,14' rounded background '#ffffff'\n",
      script.width, script.height);
  const std::string pdf =
      fmt::format("set terminal pdfcairo size {:.3f}in,{:.3f}in noenhanced font 'sans-serif,10.5' rounded\n",
                  script.width / kPixelsPerInch, script.height / kPixelsPerInch);
  const std::string encoding = "set encoding utf8\n";
  PlotFiles files;
  files.source = fmt::format(
      "# gnuplot {0}.gp makes {0}.svg and {0}.pdf\n{1}{2}set output '{0}.svg'\n{3}"
      "{4}set output '{0}.pdf'\nreplot\nunset output\n",
      name, encoding, svg, script.body, pdf);
  try {
    files.svg = run_filter(kGnuplot, {"-d"}, encoding + svg + script.body);
  } catch (const MissingProgram&) {
    return files;  // the page says what to install
  }
  try {
    files.pdf = run_filter(kGnuplot, {"-d"}, encoding + pdf + script.body);
  } catch (const Error&) {
    // A gnuplot that was built without Cairo draws all but PDF.
  }
  remove_date(files.pdf);
  return files;
}

}  // namespace twofold::report
