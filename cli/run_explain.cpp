#include "cli/command_explain.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "cli/dataset_input.h"
#include "cli/explain_model.h"
#include "cli/explanation_drawing.h"
#include "cli/explanation_view.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/report/graph_layout.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

constexpr std::size_t kPrintedRows = 6;

void print_summary(const ExplanationView& view, const ExplainOptions& options, std::ostream& out) {
  fmt::print(out, "{}: {}\n", options.output, view.headline());
  const auto order = view.strongest();
  const std::size_t shown = std::min(order.size(), kPrintedRows);
  fmt::print(out, "{}, by {}: {}; the strongest {} of {} rows:\n", view.model, view.by, view.meaning, shown,
             order.size());
  const bool has_names = !view.node_names.empty() && view.graph->has_node_labels();
  Table table(has_names ? std::vector<std::string>{"<nodes", "<names", "<kind", "contribution"}
                        : std::vector<std::string>{"<nodes", "<kind", "contribution"});
  for (std::size_t i = 0; i < shown; ++i) {
    const ExplainedRow& row = view.rows[order[i]];
    std::vector<std::string> cells = {row.u == row.v ? fmt::format("{}", row.u)
                                                     : fmt::format("{}-{}", row.u, row.v)};
    if (has_names) cells.push_back(view.names(row));
    cells.insert(cells.end(), {view.kind(row), fmt::format("{:.4g}", row.contribution)});
    table.add_row(cells);
  }
  if (shown > 0) table.print(out);
}

}  // namespace

int run_explain(const ExplainOptions& options, std::ostream& out, std::ostream& err) {
  const bool is_svg = ends_with(options.output, ".svg");
  const bool is_html = ends_with(options.output, ".html");
  if (!is_svg && !is_html && !ends_with(options.output, ".json"))
    throw UsageError(
        fmt::format("needed an output file .svg, .html or .json, found {}", in_quotes(options.output)));
  require_output_apart(options.output, {options.model, input_of_dataset(options.dataset)});
  AtomicFile file(options.output);
  const train::TrainedModel model = train::read_model(options.model);
  const Dataset dataset =
      read_input_for(model, options.dataset, options.molecules, options.threads, options.quiet, err);
  if (model.network && model.network->settings.model.about != TargetOf::kGraphs)
    throw InputError(fmt::format("{}: needed a model of graphs to explain, found one of {}", options.model,
                                 model::to_string(model.network->settings.model.about)));
  if (options.graph < 1 || options.graph > dataset.graphs.size())
    throw InputError(fmt::format("{}: needed a graph in 1..{}, found --graph {}", options.dataset,
                                 dataset.graphs.size(), options.graph));
  if (is_svg || is_html)
    report::require_drawable({&dataset.graphs[options.graph - 1], 1}, "-o FILE.json has the same numbers");
  ProgressOptions shown;
  shown.label = "explain";
  shown.unit = "nodes and edges";
  shown.quiet = options.quiet;
  ExplanationView view;
  {
    ProgressLine line(err, shown);
    view = explain_model(model, dataset,
                         {options.graph - 1, options.by, options.target, options.dataset, options.threads,
                          options.max_memory, line.progress()});
  }
  const nlohmann::ordered_json json = explanation_json(view);
  file.write(is_svg ? draw_explanation(view) : is_html ? explanation_page(view) : json_text(json) + '\n');
  file.commit();
  if (options.json)
    out << json_text(json) << '\n';
  else
    print_summary(view, options, out);
  return 0;
}

}  // namespace twofold::cli
