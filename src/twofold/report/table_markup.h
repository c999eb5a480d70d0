#pragma once

#include <string>

#include "twofold/report/table.h"

namespace twofold::report {

/// A table as LaTeX, in the style of booktabs: `\begin{tabular}` to `\end{tabular}` with a comment in front.
/// Every text is escaped. `words` go into the comment.
std::string to_latex(const Table& table, const std::string& words);

/// The same as a table of Markdown (GitHub's), `words` below it.
std::string to_markdown(const Table& table, const std::string& words);

/// A text as LaTeX or Markdown shows it, letter by letter; control characters become `?`.
std::string escape_latex(const std::string& text);
std::string escape_markdown(const std::string& text);

}  // namespace twofold::report
