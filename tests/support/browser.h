#pragma once

#include <string>
#include <vector>

namespace twofold::testing {

/// Whether Debian's chromium is on the PATH.
bool has_browser();

/// `if (!has_browser()) GTEST_SKIP() << kNeedsBrowser;`
inline constexpr const char* kNeedsBrowser = "chromium is not installed (package chromium)";

/// What a page looks like in a window of some width.
struct SeenPage {
  int width = 0;         // of the window
  int scroll_width = 0;  // of the page
  // Elements, outside of boxes that scroll, that stick out to the right.
  std::vector<std::string> overflowing;
  // Texts with a contrast below 4.5 to what is behind them, as `ratio text`.
  std::vector<std::string> pale;
  std::vector<std::string> errors;
  bool is_dark = false;
  std::string background;  // of the page, as rgb(…)
  int num_scripts = 0;
  // The text of the page's first heading, of all plots, and of all tables, as the reader sees it.
  std::string heading;
  std::string text;
};

/// Opens a copy of the page, with a probe in it, in windows of these widths; light or dark.
std::vector<SeenPage> look_at_page(const std::string& html, const std::vector<int>& widths, bool dark);

/// What the browser says on its console about the page itself, unchanged: errors, refusals, warnings. Empty if
/// nothing.
std::string console_of_page(const std::string& path);

/// Prints the page, unchanged, to a PDF and returns its bytes.
std::string print_page(const std::string& path);

}  // namespace twofold::testing
