#include "cli/explanation_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "cli/molecule_drawing.h"
#include "twofold/base/printable.h"
#include "twofold/report/graph_layout.h"
#include "twofold/report/markup.h"

namespace twofold::cli {
namespace {

using report::escape_markup;
using report::GraphLayout;
using report::lay_out;
using report::Point;

// The picture of an explanation. Colors run from blue over grey to red, which people who see no red or no green
// can tell apart too; width says the same as color.

constexpr double kMargin = 34;
constexpr double kRadius = 13;
constexpr double kHead = 70;
constexpr double kTop = 8;  // without a head
constexpr double kLegend = 84;
constexpr double kSecondLine = 18;  // of the legend
constexpr double kMinWidth = 420;
constexpr double kMinPageWidth = 300;
constexpr double kBoldLetter = 9.6;  // of the head, at most
constexpr std::size_t kIndirectShown = 8;

using Rgb = std::array<double, 3>;
constexpr Rgb kAgainst = {33, 102, 172};
constexpr Rgb kNeutral = {222, 222, 222};
constexpr Rgb kFor = {178, 24, 43};

// `strength` from -1 to 1.
std::string color_of(double strength) {
  const Rgb& end = strength < 0 ? kAgainst : kFor;
  const double part = std::min(1.0, std::abs(strength));
  std::string text = "#";
  for (std::size_t c = 0; c < 3; ++c)
    text += fmt::format("{:02x}", static_cast<int>(std::lround(kNeutral[c] + part * (end[c] - kNeutral[c]))));
  return text;
}

// "aromatic C" is too long for a circle: small letters are what chemists write.
std::string in_node(const std::string& name) {
  const std::string aromatic = "aromatic ";
  if (name.rfind(aromatic, 0) != 0) return name;
  std::string symbol = name.substr(aromatic.size());
  if (!symbol.empty()) symbol[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(symbol[0])));
  return symbol;
}

class Picture {
 public:
  Picture(const ExplanationView& whole, DrawnHead head)
      : view_(whole.thinned()), head_(head), all_nodes_(whole.graph->num_nodes()), reach_(whole.reach()) {
    const ExplanationView& view = view_;
    if (!view.smiles.empty()) molecule_ = drawn_molecule();
    if (!molecule_) {
      layout_ = lay_out(*view.graph, kMargin);
      return;
    }
    layout_.width = molecule_->width;
    layout_.height = molecule_->height;
    layout_.points = molecule_->atoms;
  }

  std::string draw() {
    // The graph, and what is said of it.
    const std::string headline = view_.headline();
    const std::size_t colon = std::min(headline.rfind(": predicted "), headline.size());
    const std::string graph = headline.substr(0, colon);
    const std::string answer = headline.substr(std::min(colon + 2, headline.size()));
    const bool has_head = head_ == DrawnHead::kInPicture;
    const double top = has_head ? kHead : kTop;
    double width = std::max(layout_.width, has_head ? kMinWidth : kMinPageWidth);
    if (has_head)
      width = std::max(width, 32 + kBoldLetter * static_cast<double>(std::max(graph.size(), answer.size())));
    count_indirect();
    const double height = layout_.height + top + kLegend + (num_indirect_ > 0 ? kSecondLine : 0);
    body_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<style>text{{font-family:sans-serif;font-size:12px}}"
        ".head{{font-size:15px;font-weight:bold}}.node{{text-anchor:middle;font-size:11px}}"
        ".number{{font-size:9px;fill:#555}}.middle{{text-anchor:middle}}.end{{text-anchor:end}}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
    if (has_head)
      body_ += fmt::format(
          "<text x=\"16\" y=\"24\" class=\"head\">{}</text>\n<text x=\"16\" y=\"43\" class=\"head\">{}</text>\n"
          "<text x=\"16\" y=\"61\">{}, by {}: {}</text>\n",
          escape_markup(graph), escape_markup(answer), escape_markup(view_.model), escape_markup(view_.by),
          escape_markup(view_.meaning));
    body_ += fmt::format("<g transform=\"translate({:.1f} {:.0f})\">\n", (width - layout_.width) / 2, top);
    if (molecule_) body_ += molecule_->elements;
    draw_pairs();
    if (molecule_)
      name_atoms();
    else
      draw_nodes();
    body_ += "</g>\n";
    draw_legend(layout_.height + top);
    return body_ + "</svg>\n";
  }

 private:
  // Pale, so that letters on it can be read.
  static DrawnColor pale(double strength) {
    const Rgb& end = strength < 0 ? kAgainst : kFor;
    const double part = 0.1 + 0.65 * std::min(1.0, std::abs(strength));
    DrawnColor color{};
    for (std::size_t c = 0; c < 3; ++c) color[c] = (255 + part * (end[c] - 255)) / 255;
    return color;
  }

  std::optional<MoleculeDrawing> drawn_molecule() const {
    constexpr double kFaint = 0.04;
    std::vector<std::optional<DrawnColor>> atoms(view_.graph->num_nodes());
    std::vector<std::pair<Edge, DrawnColor>> bonds;
    for (const ExplainedRow& row : view_.rows) {
      if (std::abs(strength(row)) < kFaint) continue;
      if (row.u == row.v)
        atoms[row.u] = pale(strength(row));
      else if (view_.graph->has_edge(row.u, row.v))
        bonds.push_back({{row.u, row.v}, pale(strength(row))});
    }
    return draw_molecule(view_.smiles, *view_.graph, atoms, bonds);
  }

  // What a pointer over an atom shows.
  void name_atoms() {
    for (const ExplainedRow& row : view_.rows) {
      if (row.u != row.v) continue;
      const Point p = layout_.points[row.u];
      body_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.0f}\" fill=\"none\" pointer-events=\"all\"><title>atom "
          "{}, {}: "
          "{:+.3g}</title></circle>\n",
          p.x, p.y, kRadius, row.u, escape_markup(view_.names(row)), row.contribution);
    }
  }

  double strength(const ExplainedRow& row) const {
    return reach_ > 0 ? (row.contribution - view_.neutral) / reach_ : 0;
  }

  void count_indirect() {
    for (const ExplainedRow& row : view_.rows)
      num_indirect_ += row.u != row.v && !view_.graph->has_edge(row.u, row.v);
  }

  void draw_pairs() {
    bool has_pairs = false;
    for (const ExplainedRow& row : view_.rows) has_pairs = has_pairs || row.u != row.v;
    // Where only nodes take part, edges are there to be seen and no more.
    if (!has_pairs && !molecule_)
      for (const Edge e : view_.graph->edges()) {
        const Point a = layout_.points[e.u], b = layout_.points[e.v];
        body_ += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#aaa\" "
            "stroke-width=\"1.5\"/>\n",
            a.x, a.y, b.x, b.y);
      }
    if (view_.asks_for_no_edge()) {
      const Point a = layout_.points[view_.asked->u], b = layout_.points[view_.asked->v];
      body_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#333\" stroke-width=\"2\" "
          "stroke-dasharray=\"2 5\"><title>asked about</title></line>\n",
          a.x, a.y, b.x, b.y);
    }
    std::vector<std::size_t> chosen;
    for (const std::size_t f : view_.strongest()) {
      const ExplainedRow& row = view_.rows[f];
      if (row.u == row.v) continue;
      const bool is_edge = view_.graph->has_edge(row.u, row.v);
      if ((is_edge && !molecule_) || (!is_edge && shown_indirect_ < kIndirectShown && strength(row) != 0))
        chosen.push_back(f);
      shown_indirect_ += !is_edge && !chosen.empty() && chosen.back() == f;
    }
    // The strongest last: on top of the others.
    std::reverse(chosen.begin(), chosen.end());
    for (const std::size_t f : chosen) draw_pair(view_.rows[f]);
  }

  void draw_pair(const ExplainedRow& row) {
    const Point a = layout_.points[row.u], b = layout_.points[row.v];
    const bool is_edge = view_.graph->has_edge(row.u, row.v);
    const double part = std::abs(strength(row));
    const double length = std::max(1e-9, std::hypot(b.x - a.x, b.y - a.y));
    // Indirect pairs are bent, so that none hides an edge.
    const double bend = is_edge ? 0 : std::min(40.0, 0.25 * length);
    body_ += fmt::format(
        "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"{}\" "
        "stroke-width=\"{:.1f}\"{}>"
        "<title>{} {} – {}: {:+.3g}</title></path>\n",
        a.x, a.y, (a.x + b.x) / 2 - bend * (b.y - a.y) / length, (a.y + b.y) / 2 + bend * (b.x - a.x) / length,
        b.x, b.y, color_of(strength(row)), is_edge ? 1.5 + 5.5 * part : 1 + 2 * part,
        is_edge ? "" : " stroke-dasharray=\"5 4\"", view_.kind(row), view_.number(row.u), view_.number(row.v),
        row.contribution);
  }

  void draw_nodes() {
    std::vector<const ExplainedRow*> row_of(view_.graph->num_nodes(), nullptr);
    for (const ExplainedRow& row : view_.rows)
      if (row.u == row.v) row_of[row.u] = &row;
    // Rows of sparse features have numbers that mean nothing.
    const bool labels = view_.graph->has_node_labels() && !view_.graph->node_features();
    for (Node v = 0; v < layout_.points.size(); ++v) {
      const Point p = layout_.points[v];
      const double part = row_of[v] != nullptr ? strength(*row_of[v]) : 0;
      std::string title = fmt::format("node {}", view_.number(v));
      const std::string label = labels ? label_text(view_.node_names, view_.graph->node_labels()[v]) : "";
      if (labels)
        title +=
            fmt::format(", {}{}", view_.node_names.empty() ? "label " : "", escape_markup(printable(label)));
      if (row_of[v] != nullptr) title += fmt::format(": {:+.3g}", row_of[v]->contribution);
      body_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.0f}\" fill=\"{}\" stroke=\"#333\" stroke-width=\"{}\">"
          "<title>{}</title></circle>\n<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"node\" fill=\"{}\">{}</text>\n",
          p.x, p.y, kRadius, row_of[v] != nullptr ? color_of(part) : "#ffffff",
          view_.is_asked(v) || view_.graph->has_self_loop(v) ? 4 : 1, title, p.x, p.y + 4,
          std::abs(part) > 0.55 ? "white" : "black",
          labels ? escape_markup(shortened(printable(in_node(label)), 3)) : std::to_string(view_.number(v)));
      if (labels)
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"number\">{}</text>\n", p.x + kRadius,
                             p.y - kRadius + 2, view_.number(v));
    }
  }

  void draw_legend(double y) {
    const bool is_share = view_.neutral != 0;
    const double x = 16, bar = 240;
    body_ += "<defs><linearGradient id=\"scale\">";
    for (const double at : {0.0, 0.5, 1.0})
      body_ += fmt::format("<stop offset=\"{:.1f}\" stop-color=\"{}\"/>", at, color_of(2 * at - 1));
    body_ += fmt::format(
        "</linearGradient></defs>\n<rect x=\"{0}\" y=\"{1:.0f}\" width=\"{2}\" height=\"12\" "
        "fill=\"url(#scale)\"/>\n",
        x, y + 18, bar);
    const std::string away = is_share         ? "less than an equal share"
                             : view_.is_class ? "against class " + shortened(printable(view_.predicted), 40)
                             : view_.question.empty() ? "less"
                                                      : "against " + shortened(printable(view_.question), 40);
    const bool is_for = view_.is_class || !view_.question.empty();
    const std::string toward = !is_share && is_for ? "for it" : "more";
    body_ += fmt::format(
        "<text x=\"{0}\" y=\"{1:.0f}\">{2}</text><text x=\"{3}\" y=\"{1:.0f}\" class=\"end\">{4}</text>\n", x,
        y + 13, escape_markup(away), x + bar, toward);
    body_ += fmt::format(
        "<text x=\"{0}\" y=\"{1:.0f}\">{2:.3g}</text><text x=\"{3}\" y=\"{1:.0f}\" "
        "class=\"middle\">{4:.3g}</text>"
        "<text x=\"{5}\" y=\"{1:.0f}\" class=\"end\">{6:.3g}</text>\n",
        x, y + 44, view_.neutral - reach_, x + bar / 2, view_.neutral, x + bar, view_.neutral + reach_);
    std::string what = molecule_ ? "Atoms and bonds: what each adds."
                       : view_.graph->has_node_labels() && !view_.graph->node_features()
                           ? "In a node: its label; beside it: its number."
                           : "In a node: its number.";
    if (view_.asked)
      what += fmt::format(" Thick rim{}: asked about.{}", view_.asks_for_no_edge() ? "s, dots between" : "",
                          view_.graph->num_nodes() < all_nodes_
                              ? fmt::format(" Drawn: {} of {} nodes.", view_.graph->num_nodes(), all_nodes_)
                              : "");
    body_ += fmt::format("<text x=\"{}\" y=\"{:.0f}\">{}</text>\n", x, y + 68, what);
    if (num_indirect_ > 0)
      body_ +=
          fmt::format("<text x=\"{}\" y=\"{:.0f}\">Dashed: {} of {} indirect pairs, the strongest.</text>\n", x,
                      y + 68 + kSecondLine, shown_indirect_, num_indirect_);
  }

  const ExplanationView view_;
  DrawnHead head_;
  std::size_t all_nodes_;
  GraphLayout layout_;
  std::optional<MoleculeDrawing> molecule_;
  double reach_;
  std::size_t num_indirect_ = 0;
  std::size_t shown_indirect_ = 0;
  std::string body_;
};

}  // namespace

std::string draw_explanation(const ExplanationView& view, DrawnHead head) { return Picture(view, head).draw(); }

std::string draw_explanations(const std::vector<ExplanationView>& views) {
  constexpr double kCell = 620, kCellHeight = 560;
  std::string cells;
  for (std::size_t i = 0; i < views.size(); ++i) {
    std::string one = draw_explanation(views[i]);
    const std::size_t row = i / 2;
    // A picture in a picture takes the place it is given and keeps its shape.
    const auto width = one.find(" width="), box = one.find(" viewBox=");
    one.replace(width, box - width,
                fmt::format(" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"",
                            kCell * static_cast<double>(i % 2), kCellHeight * static_cast<double>(row), kCell,
                            kCellHeight));
    cells += one;
  }
  const double rows = std::ceil(static_cast<double>(views.size()) / 2);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
             "{0:.0f} "
             "{1:.0f}\">\n",
             views.size() > 1 ? 2 * kCell : kCell, rows * kCellHeight) +
         cells + "</svg>\n";
}

}  // namespace twofold::cli
