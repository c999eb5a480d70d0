#include "twofold/report/gnuplot_svg.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "twofold/base/error.h"
#include "twofold/report/markup.h"

namespace twofold::report {
namespace {

// Stand-ins of colors are rgb(1, family, number).
enum Family { kRoles, kSeries, kFaintSeries };

constexpr const char* kTextStart = "twofold-text-";

std::string stand_in(Family family, int number) {
  return fmt::format("#01{:02x}{:02x}", static_cast<int>(family), number);
}

std::string meaning_of(int family, int number) {
  if (family != kRoles) return fmt::format("var(--c{})", number);
  return number == static_cast<int>(Role::kGrid) ? "var(--line)" : "var(--soft)";
}

bool starts(const std::string& text, std::size_t at, const char* word) {
  return text.compare(at, std::char_traits<char>::length(word), word) == 0;
}

// The color at `at`, `rgb(1, 2, 3)`, or false. Moves `at` behind it.
bool read_color(const std::string& text, std::size_t& at, std::array<int, 3>& color) {
  if (!starts(text, at, "rgb(")) return false;
  const char* place = text.c_str() + at + 4;
  for (int& part : color) {
    part = static_cast<int>(std::strtol(place, const_cast<char**>(&place), 10));
    while (*place == ',' || *place == ' ') ++place;
  }
  TWOFOLD_CHECK(*place == ')' && color[0] == 1, "a color that is none of ours");
  at = static_cast<std::size_t>(place - text.c_str()) + 1;
  return true;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void remove_between(std::string& text, const std::string& begin, const std::string& end) {
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    const std::size_t stop = text.find(end, at);
    if (stop == std::string::npos) return;
    text.erase(at, stop + end.size() - at);
  }
}

// Groups with nothing in them are half of what gnuplot writes.
void remove_empty_groups(std::string& text) {
  std::string kept;
  std::size_t at = 0;
  while (at < text.size()) {
    if (starts(text, at, "<g ")) {
      const std::size_t stop = text.find('>', at);
      const std::size_t next = text.find_first_not_of(" \n", stop + 1);
      if (next != std::string::npos && starts(text, next, "</g>")) {
        at = text.find_first_not_of('\n', next + 4);
        if (at == std::string::npos) break;
        continue;
      }
    }
    kept += text[at++];
  }
  text = std::move(kept);
}

// gnuplot's filled shapes, those that are used.
std::string used_shapes(const std::string& body, const std::string& id) {
  struct Shape {
    const char* name;
    const char* path;
  };
  constexpr Shape kDrawn[] = {{"gpPt4", "M-1-1h2v2h-2z"},
                              {"gpPt6", "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z"},
                              {"gpPt8", "M0-1.33L-1.33.67h2.66z"},
                              {"gpPt10", "M0 1.33L-1.33-.67h2.66z"},
                              {"gpPt12", "M0-1.41L1.41 0 0 1.41-1.41 0z"}};
  std::string shapes;
  for (const Shape& shape : kDrawn)
    if (body.find(fmt::format("'#{}'", shape.name)) != std::string::npos)
      shapes += fmt::format("<path id=\"{}-{}\" stroke=\"none\" fill=\"currentColor\" d=\"{}\"/>", id,
                            shape.name, shape.path);
  return shapes.empty() ? "" : "<defs>" + shapes + "</defs>\n";
}

}  // namespace

std::string role_color(Role role) { return stand_in(kRoles, static_cast<int>(role)); }

std::string series_color(int color, bool faint) { return stand_in(faint ? kFaintSeries : kSeries, color); }

std::string SvgTexts::place(const std::string& text) {
  texts_.push_back(text);
  return fmt::format("{}{};", kTextStart, texts_.size() - 1);
}

std::string adapt_svg(const std::string& svg, const SvgTexts& texts, const SvgFrame& frame) {
  const std::size_t definitions = svg.find("</defs>");
  const std::size_t end = svg.rfind("</g>\n</svg>");
  if (definitions == std::string::npos || end == std::string::npos || end < definitions)
    throw Error("gnuplot gave no SVG: needed its terminal svg");
  std::string body = svg.substr(definitions + 8, end - definitions - 8);
  // What gnuplot says of itself, and what it leaves lying about.
  remove_between(body, "<title>", "</title>");
  for (const char* word :
       {" color=\"black\"", " color=\"white\"", " color=\"gray\"", " font-family=\"sans-serif\"",
        " stroke-dasharray='2,4' class=\"gridline\"", " shape-rendering='crispEdges'",
        " stroke-linecap=\"round\"", " stroke-linejoin=\"round\"", ".00\"", "\t"})
    replace_all(body, word, std::string(word) == ".00\"" ? "\"" : "");
  remove_between(body, " id=\"gnuplot_plot_", "\" ");
  remove_empty_groups(body);

  std::string result = fmt::format(
      "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" style=\"max-width:{5:.0f}px;min-width:{2:.0f}px\" role=\"img\" "
      "aria-label=\"{3}\">\n{4}<g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
      frame.width, frame.height, 0.63 * frame.width, escape_markup(frame.words), used_shapes(body, frame.id),
      1.15 * frame.width);
  replace_all(body, "xlink:href='#", "href='#" + frame.id + "-");
  for (std::size_t at = 0; at < body.size();) {
    std::array<int, 3> color = {};
    if (starts(body, at, kTextStart)) {
      const auto number = static_cast<std::size_t>(
          std::strtoul(body.c_str() + at + std::char_traits<char>::length(kTextStart), nullptr, 10));
      TWOFOLD_CHECK(number < texts.texts().size());
      result += escape_markup(texts.texts()[number]);
      at = body.find(';', at) + 1;
    } else if (body[at] == 'r' && read_color(body, at, color)) {
      result += meaning_of(color[1], color[2]);
      if (color[1] == kFaintSeries) result += fmt::format("{0} opacity={0}.5", body[at]);
    } else {
      result += body[at++];
    }
  }
  return result + "</g>\n</svg>\n";
}

}  // namespace twofold::report
