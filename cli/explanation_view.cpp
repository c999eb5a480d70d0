#include "cli/explanation_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/explanation_drawing.h"
#include "twofold/base/printable.h"
#include "twofold/graph/neighborhood.h"
#include "twofold/report/markup.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;
using report::escape_markup;

constexpr std::size_t kTableRows = 25;

std::string row_text(const ExplanationView& view, const ExplainedRow& row) {
  const auto label = [&](Node v) {
    if (!view.graph->has_node_labels() || view.graph->node_features()) return std::string();
    const std::string text = label_text(view.node_names, view.graph->node_labels()[v]);
    return view.node_names.empty() ? fmt::format(" (label {})", text) : fmt::format(" ({})", printable(text));
  };
  if (row.u == row.v) return fmt::format("{}{}", view.number(row.u), label(row.u));
  return fmt::format("{}{} – {}{}", view.number(row.u), label(row.u), view.number(row.v), label(row.v));
}

// How much the answer can depend on.
std::string field_text(const ExplanationView& view) {
  if (!view.asked) return "";
  return fmt::format(" The answer can depend on {} nodes and {} edges.", view.graph->num_nodes(),
                     view.graph->num_edges());
}

}  // namespace

double ExplanationView::reach() const {
  double reach = 0;
  for (const ExplainedRow& row : rows) reach = std::max(reach, std::abs(row.contribution - neutral));
  return reach;
}

const char* ExplanationView::kind(const ExplainedRow& row) const {
  return row.u == row.v ? "node" : graph->has_edge(row.u, row.v) ? "edge" : "indirect";
}

std::string ExplanationView::names(const ExplainedRow& row) const {
  if (node_names.empty() || !graph->has_node_labels() || graph->node_features()) return "";
  const auto name = [&](Node v) { return printable(label_text(node_names, graph->node_labels()[v])); };
  return row.u == row.v ? name(row.u) : fmt::format("{} – {}", name(row.u), name(row.v));
}

std::vector<std::size_t> ExplanationView::strongest() const {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(rows[a].contribution - neutral) > std::abs(rows[b].contribution - neutral);
  });
  return order;
}

bool ExplanationView::asks_for_no_edge() const {
  return asked && asked->u != asked->v && !graph->has_edge(asked->u, asked->v);
}

std::string ExplanationView::title() const {
  std::string text;
  if (asked && asked->u == asked->v)
    text = fmt::format("node {} of ", number(asked->u));
  else if (asked)
    text = fmt::format("link {}-{} of ", number(asked->u), number(asked->v));
  if (names_graph) text += fmt::format("graph {} of ", graph_number);
  return text + dataset + (id.empty() ? "" : fmt::format(" ({})", shortened(printable(id), 40)));
}

// A drawing of more nodes than this is a tangle.
constexpr std::size_t kDrawnNodes = 60;
constexpr std::size_t kDrawnRows = 30;

ExplanationView ExplanationView::thinned() const {
  if (!asked || graph->num_nodes() <= kDrawnNodes) return *this;
  // On the way from what is asked about: the node each was first met from.
  std::vector<Node> from(graph->num_nodes(), ~Node{0}), found = {asked->u};
  if (asked->v != asked->u) found.push_back(asked->v);
  for (const Node v : found) from[v] = v;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const Node u : graph->neighbors(found[k]))
      if (from[u] == ~Node{0}) {
        from[u] = found[k];
        found.push_back(u);
      }
  std::vector<bool> is_drawn(graph->num_nodes(), false);
  std::size_t count = 0;
  const auto draw = [&](Node v) {
    for (; !is_drawn[v]; v = from[v] == ~Node{0} ? v : from[v]) {
      is_drawn[v] = true;
      ++count;
    }
  };
  draw(asked->u);
  draw(asked->v);
  const auto order = strongest();
  for (std::size_t i = 0; i < std::min(order.size(), kDrawnRows) && count < kDrawnNodes; ++i) {
    draw(rows[order[i]].u);
    draw(rows[order[i]].v);
  }
  std::vector<Node> nodes;
  for (Node v = 0; v < graph->num_nodes(); ++v)
    if (is_drawn[v]) nodes.push_back(v);
  const Neighborhood drawn = induced(*graph, nodes);
  ExplanationView view = *this;
  view.part = std::make_shared<const Graph>(drawn.graph);
  view.graph = view.part.get();
  view.numbers.clear();
  for (const Node v : nodes) view.numbers.push_back(number(v));
  view.asked = Item{0, drawn.name_of(asked->u), drawn.name_of(asked->v)};
  view.rows.clear();
  for (ExplainedRow row : rows) {
    if (!is_drawn[row.u] || !is_drawn[row.v]) continue;
    row.u = drawn.name_of(row.u);
    row.v = drawn.name_of(row.v);
    view.rows.push_back(row);
  }
  return view;
}

std::string ExplanationView::headline() const {
  std::string text = title() + ": predicted ";
  // A class may have an empty name.
  const auto name = [](const std::string& word) {
    return word.empty() ? "\"\"" : shortened(printable(word), 40);
  };
  text += is_class           ? "class " + name(predicted)
          : question.empty() ? fmt::format("{:.6g}", scores.at(0))
                             : fmt::format("{} with probability {:.3g}", name(question), scores.at(0));
  if (is_class && probability) text += fmt::format(" with probability {:.3g}", *probability);
  if (true_class) text += ", true class " + name(*true_class);
  if (true_value) text += fmt::format(", true value {:.6g}", *true_value);
  return text;
}

ordered_json explanation_json(const ExplanationView& view) {
  ordered_json json = {{"dataset", view.dataset}, {"graph", view.graph_number}, {"model", view.model}};
  if (view.asked) {
    if (view.asked->u == view.asked->v)
      json["node"] = view.number(view.asked->u);
    else
      json["link"] = {view.number(view.asked->u), view.number(view.asked->v)};
    json["neighborhood"] = {{"nodes", view.graph->num_nodes()}, {"edges", view.graph->num_edges()}};
  }
  if (!view.id.empty()) json["id"] = view.id;
  if (!view.smiles.empty()) json["smiles"] = view.smiles;
  json["by"] = view.by;
  if (view.is_class) {
    json["class"] = view.predicted;
    json["scores"] = view.scores;
    if (view.true_class) json["true_class"] = *view.true_class;
  } else {
    if (!view.question.empty()) json["target"] = view.question;
    json[view.question.empty() ? "value" : "probability"] = view.scores.at(0);
    if (view.true_value) json["true_value"] = *view.true_value;
  }
  json["neutral"] = view.neutral;
  if (view.base) json["base"] = *view.base;
  double total = 0;
  json["rows"] = ordered_json::array();
  for (const ExplainedRow& row : view.rows) {
    ordered_json one = {{"u", view.number(row.u)},
                        {"v", view.number(row.v)},
                        {"kind", view.kind(row)},
                        {"contribution", row.contribution}};
    if (const std::string names = view.names(row); !names.empty()) one["names"] = names;
    if (row.weight) one["weight"] = *row.weight;
    if (row.score) one["score"] = *row.score;
    total += row.contribution;
    json["rows"].push_back(std::move(one));
  }
  json["total"] = total;
  return json;
}

std::string explanation_page(const ExplanationView& view) {
  const bool has_weight = !view.rows.empty() && view.rows[0].weight.has_value();
  const bool has_score = !view.rows.empty() && view.rows[0].score.has_value();
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>\n"
      "body{{font-family:sans-serif;margin:1em;color:#222}}\nh1{{font-size:1.4em}}\n"
      "svg{{max-width:100%;height:auto}}\ntable{{border-collapse:collapse}}\ntd,th{{padding:.2em "
      ".8em;border-bottom:1px solid "
      "#ddd;text-align:right}}\n"
      "td:nth-child(2),th:nth-child(2),td:nth-child(3),th:nth-child(3){{text-align:left}}\n</style>\n</"
      "head>\n<body>\n"
      "<h1>{0}</h1>\n<p>{1}, by {2}: {3}.{4}</p>\n",
      escape_markup(view.headline()), escape_markup(view.model), escape_markup(view.by),
      escape_markup(view.meaning), field_text(view));
  page += draw_explanation(view, DrawnHead::kOnPage);
  const auto order = view.strongest();
  const std::size_t shown = std::min(order.size(), kTableRows);
  page += fmt::format(
      "<h2>Strongest rows</h2>\n<p>{} of {}, nodes counted from 0.</p>\n<table>\n"
      "<tr><th></th><th>row</th><th>kind</th><th>contribution</th>{}{}</tr>\n",
      shown, order.size(), has_weight ? "<th>weight</th>" : "", has_score ? "<th>score</th>" : "");
  for (std::size_t i = 0; i < shown; ++i) {
    const ExplainedRow& row = view.rows[order[i]];
    page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:+.4g}</td>", i + 1,
                        escape_markup(row_text(view, row)), view.kind(row), row.contribution);
    if (has_weight) page += fmt::format("<td>{:.4g}</td>", row.weight.value_or(0));
    if (has_score) page += fmt::format("<td>{:.4g}</td>", row.score.value_or(0));
    page += "</tr>\n";
  }
  page += "</table>\n</body>\n</html>\n";
  return page;
}

std::string explanations_page(const std::vector<ExplanationView>& views) {
  const std::string title = fmt::format("{} graphs of {}", views.size(), views.empty() ? "" : views[0].dataset);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>\n"
      "body{{font-family:sans-serif;margin:1em;color:#222}}\n"
      "main{{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26em),1fr));gap:1em}}\n"
      "figure{{margin:0;border:1px solid #ddd;text-align:center}}\n"
      "figcaption{{padding:.6em 1em 0;text-align:left;overflow-wrap:anywhere}}\n"
      "h1{{font-size:1.4em}}\nsvg{{max-width:100%;height:auto}}\n</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n",
      escape_markup(title));
  if (!views.empty())
    page += fmt::format("<p>{}, by {}: {}.</p>\n", escape_markup(views[0].model), escape_markup(views[0].by),
                        escape_markup(views[0].meaning));
  page += "<main>\n";
  for (const ExplanationView& view : views)
    page += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escape_markup(view.headline()),
                        draw_explanation(view, DrawnHead::kOnPage));
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace twofold::cli
