#include "tests/support/browser.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

constexpr const char* kBrowser =
    "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-extensions "
    "--no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars";

// Looks around in its own window and tells the window above, which may not look in.
constexpr const char* kProbe = R"js(
<script>
const errors = [];
addEventListener('error', e => errors.push(String(e.message)), true);
function luminance(rgb) {
  const part = rgb.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}
function color(text) { return (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number); }
function ground(element) {
  for (let e = element; e; e = e.parentElement) {
    const c = color(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0.5) return c;
  }
  return [255, 255, 255];
}
addEventListener('load', () => {
  const overflowing = [], pale = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('.scroll') && !e.matches('.scroll') || e.closest('pre') && !e.matches('pre')) continue;
    const box = e.getBoundingClientRect();
    if (box.width > 0 && box.right > innerWidth + 0.5) overflowing.push(e.tagName + '.' + e.getAttribute('class') + ' ' + box.right);
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, e = node.parentElement;
    if (!node.data.trim() || e.closest('script') || e.closest('style')) continue;
    const style = getComputedStyle(e), inSvg = e.closest('svg');
    const a = luminance(color(inSvg ? style.fill : style.color).slice(0, 3)), b = luminance(ground(e).slice(0, 3));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5 && !(inSvg && e.closest('.coloring'))) pale.push(ratio.toFixed(2) + ' ' + node.data.trim());
  }
  let text = '';
  for (const e of document.querySelectorAll('svg text, td, th, .legend li')) text += e.textContent.trim() + '\n';
  parent.postMessage(JSON.stringify({width: innerWidth, scroll_width: document.documentElement.scrollWidth, overflowing, pale,
    errors, dark: matchMedia('(prefers-color-scheme: dark)').matches,
    background: getComputedStyle(document.body).backgroundColor, scripts: document.scripts.length - 1,
    heading: document.querySelector('h1').textContent, text}), '*');
});
</script>
)js";

std::string run_browser(const std::string& arguments, const std::string& folder, std::string* words = nullptr) {
  const ProgramResult result =
      run_in_shell(fmt::format("timeout 120 {} --user-data-dir=profile {}", kBrowser, arguments), folder);
  if (result.exit_code != 0) throw std::runtime_error("chromium failed: " + result.err);
  if (words != nullptr) *words = result.err;
  return result.out;
}

std::string unescape(std::string text) {
  for (const auto& [from, to] :
       {std::pair<const char*, const char*>{"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\u00a0"}, {"&amp;", "&"}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string(from).size(), to);
  return text;
}

}  // namespace

bool has_browser() { return std::system("command -v chromium > /dev/null 2>&1") == 0; }

std::vector<SeenPage> look_at_page(const std::string& html, const std::vector<int>& widths, bool dark) {
  const TemporaryFolder folder;
  // The policy would keep the probe from running too.
  std::string copy =
      std::regex_replace(html, std::regex("<meta http-equiv=\"Content-Security-Policy\"[^>]*>"), "");
  const std::size_t head = copy.find("</head>");
  if (head == std::string::npos) throw std::runtime_error("no head");
  copy.insert(head, kProbe);
  folder.write("page.html", copy);
  std::string frames;
  for (const int width : widths)
    frames += fmt::format(
        "<iframe src=\"page.html\" style=\"border:0\" width=\"{}\" height=\"900\"></iframe>\n", width);
  folder.write(
      "windows.html",
      "<!DOCTYPE html><meta name=\"color-scheme\" content=\"light dark\"><pre id=\"seen\"></pre>\n<script>"
      "addEventListener('message', e => document.getElementById('seen').textContent += e.data + "
      "'\\n');</script>\n" +
          frames);
  const std::string dom = run_browser(
      fmt::format("--allow-file-access-from-files --virtual-time-budget=8000 --window-size=1600,1200 {} "
                  "--dump-dom 'file://{}'",
                  dark ? "--blink-settings=preferredColorScheme=0" : "--blink-settings=preferredColorScheme=1",
                  folder.path("windows.html")),
      folder.path());
  const std::size_t begin = dom.find("<pre id=\"seen\">"), end = dom.find("</pre>");
  if (begin == std::string::npos || end == std::string::npos)
    throw std::runtime_error("the probe said nothing: " + dom);
  const std::string said = unescape(dom.substr(begin + 15, end - begin - 15));
  std::vector<SeenPage> pages;
  std::size_t at = 0;
  while (at < said.size()) {
    const std::size_t stop = said.find('\n', at);
    const auto json = nlohmann::json::parse(said.substr(at, stop - at));
    SeenPage page;
    page.width = json["width"];
    page.scroll_width = json["scroll_width"];
    page.overflowing = json["overflowing"].get<std::vector<std::string>>();
    page.pale = json["pale"].get<std::vector<std::string>>();
    page.errors = json["errors"].get<std::vector<std::string>>();
    page.is_dark = json["dark"];
    page.background = json["background"];
    page.num_scripts = json["scripts"];
    page.heading = json["heading"];
    page.text = json["text"];
    pages.push_back(std::move(page));
    if (stop == std::string::npos) break;
    at = stop + 1;
  }
  if (pages.size() != widths.size()) throw std::runtime_error("the probe of some window said nothing: " + dom);
  return pages;
}

std::string console_of_page(const std::string& path) {
  const TemporaryFolder folder;
  std::string words;
  run_browser(
      fmt::format("--enable-logging=stderr --v=0 --virtual-time-budget=3000 --dump-dom 'file://{}'", path),
      folder.path(), &words);
  std::string console;
  std::size_t at = 0;
  while (at < words.size()) {
    std::size_t stop = words.find('\n', at);
    if (stop == std::string::npos) stop = words.size();
    const std::string line = words.substr(at, stop - at);
    if (line.find("CONSOLE") != std::string::npos) console += line + "\n";
    at = stop + 1;
  }
  return console;
}

std::string print_page(const std::string& path) {
  const TemporaryFolder folder;
  run_browser(fmt::format("--no-pdf-header-footer --print-to-pdf=page.pdf 'file://{}'", path), folder.path());
  return read_file(folder.path("page.pdf"));
}

}  // namespace twofold::testing
