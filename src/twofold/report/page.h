#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twofold/report/plot.h"
#include "twofold/report/table.h"
#include "twofold/report/text.h"

namespace twofold::report {

/// What stands below a figure or above a table.
struct Caption {
  Text words;
  std::string command;  // the one that makes it; empty: that of the page
};

/// A page made from top to bottom: one self-contained HTML file without scripts, light or dark as the reader's
/// machine is, printable, and as wide as the reader's window. The same calls give the same bytes. Not for
/// several threads at once.
///
///     Page page("TRIANGLE", "twofold report runs -o page.html");
///     page.answer("2-wl-gnn is best.");
///     page.section("Test accuracy");
///     page.table(table, {"Mean ± standard deviation over 10 folds."});
///     page.plot(plot, {"One point per fold."});
///     write_page(page, "page.html");
class Page {
 public:
  /// `command` is shown with every figure that names no other.
  Page(std::string title, std::string command);

  /// The answer, large, right below the title.
  void answer(const Text& words);
  void section(const std::string& title);
  void subsection(const std::string& title);
  void paragraph(const Text& words);
  void list(const std::vector<Text>& items);
  /// A remark beside the flow.
  void note(const Text& words);
  /// Something the reader must know: what is missing, left out or cut short.
  void warning(const Text& words);
  /// Lines to type.
  void commands(const std::vector<std::string>& lines);

  void table(const Table& table, const Caption& caption);
  void plot(const Plot& plot, const Caption& caption);
  /// Several small plots, side by side where there is room.
  void plots(const std::vector<Plot>& plots, const std::vector<Caption>& captions);
  /// An SVG of our own drawings (coloring_drawing.h). `draw` is called at once.
  void drawing(const std::function<std::string()>& draw, const Caption& caption);
  // Where gnuplot or Graphviz is missing, a box says so in the figure's place, and what to install.

  /// The page loads itself again after so many seconds; 0: it does not.
  void reload_after(int seconds) { reload_ = seconds; }

  /// The last line of the page, as `twofold 1.0.0`. No dates.
  void made_by(const std::string& maker) { maker_ = maker; }

  const std::vector<Table>& tables() const { return tables_; }
  /// The plots with names that fit files, each another.
  const std::vector<Plot>& plots() const { return plots_; }
  /// Programs that were missing, as `gnuplot (package gnuplot-nox)`, each once.
  const std::vector<std::string>& missing() const { return missing_; }

  std::string html() const;

 private:
  std::string command_line(const Caption& caption) const;
  std::string figure(const std::string& content, const Caption& caption) const;
  std::string drawn(const std::function<std::string()>& draw);

  std::string title_;
  std::string command_;
  std::string maker_;
  std::string answer_;
  std::string body_;
  std::vector<std::string> sections_;
  std::vector<Table> tables_;
  std::vector<Plot> plots_;
  std::vector<std::string> missing_;
  int num_figures_ = 0;
  int reload_ = 0;
};

/// What was written beside a page, as its path was given.
struct PageFiles {
  std::vector<std::string> tables;
  std::vector<std::string> plots;
};

/// Writes the page to PATH and beside it, for `page.html`, its tables to the folder `page.tables` (NAME.csv and
/// NAME.json each) and its plots to `page.plots` (NAME.svg, NAME.pdf and NAME.gp, their gnuplot source; the
/// source alone where gnuplot is not installed). Every file whole or not at all. Throws Error.
PageFiles write_page(const Page& page, const std::string& path);
/// The folders beside a page: `runs/page.html` gives `runs/page.tables` and `runs/page.plots`.
std::string tables_folder(const std::string& path);
std::string plots_folder(const std::string& path);

}  // namespace twofold::report
