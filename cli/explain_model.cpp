#include "cli/explain_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/train/item_explanation.h"
#include "twofold/train/removal.h"

namespace twofold::cli {
namespace {

const char* meaning_of(train::ExplainBy by) {
  switch (by) {
    case train::ExplainBy::kAttention:
      return "the weight of each row in the weighted mean";
    case train::ExplainBy::kGradient:
      return "gradient × input of each row";
    case train::ExplainBy::kScore:
      return "weight × score of each row";
    case train::ExplainBy::kRemoval:
      return "what the answer loses without it";
  }
  return "";
}

// Nothing for an empty word: what suits network and graph.
std::optional<train::ExplainBy> kind_for(const train::Network& network, const std::string& word) {
  if (word.empty()) return std::nullopt;
  for (const train::ExplainBy by : {train::ExplainBy::kAttention, train::ExplainBy::kGradient,
                                    train::ExplainBy::kScore, train::ExplainBy::kRemoval})
    if (word == train::to_string(by)) return by;
  train::refuse_explanation(network.settings.model, word);
}

// Which of the network's real values is meant: by name, or by number from 1.
std::size_t target_for(const train::Network& network, const std::string& word) {
  if (word.empty()) return 0;
  const auto& names = network.target_names;
  const auto named = std::find(names.begin(), names.end(), word);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  for (std::size_t c = 0; c < names.size(); ++c)
    if (word == std::to_string(c + 1)) return c;
  throw UsageError(
      fmt::format("--target: needed {}, found {}",
                  names.empty() ? "no target of a model of classes" : fmt::format("{}", fmt::join(names, ", ")),
                  in_quotes(word)));
}

// What the dataset says of the node or pair.
void add_truth(const Dataset& dataset, const ExplainRequest& request, ExplanationView& view) {
  const ItemTargets& targets = request.item->u == request.item->v ? dataset.node_targets : dataset.pair_targets;
  for (std::size_t i = 0; i < targets.items.size(); ++i) {
    const Item item = targets.items[i];
    if (item.graph != request.graph || item.u != request.item->u || item.v != request.item->v) continue;
    if (!targets.is_known(i)) return;
    if (targets.has_classes() && view.is_class) view.true_class = targets.class_names[targets.class_of[i]];
    if (!targets.has_classes() && !view.is_class) view.true_value = targets.values[i];
    return;
  }
}

train::Explanation explain_part(const train::Network& network, const ExplainRequest& request,
                                std::size_t target, const train::EncodeLimits& limits, ExplanationView& view) {
  const std::optional<train::ExplainBy> by = kind_for(network, request.by);
  train::ItemExplanation found = train::explain_item(network, *view.graph, *request.item, by ? &*by : nullptr,
                                                     target, limits, request.progress);
  view.asked = found.asked;
  view.numbers = std::move(found.field.nodes);
  view.part = std::make_shared<const Graph>(std::move(found.field.graph));
  view.graph = view.part.get();
  return std::move(found.explanation);
}

train::Explanation explain_whole(const train::Network& network, const ExplainRequest& request,
                                 std::size_t target, const train::EncodeLimits& limits,
                                 const ExplanationView& view) {
  const train::ExplainBy by =
      kind_for(network, request.by).value_or(train::default_explanation(network.settings.model, *view.graph));
  if (by == train::ExplainBy::kRemoval)
    return train::explain_by_removal(network, *view.graph, {target, {}}, limits, request.progress);
  const train::EncodedDataset data({view.graph, 1}, network.settings.model, network.layout, limits);
  return train::explain(network, data, 0, by, target);
}

void explain_network(const train::Network& network, const Dataset& dataset, const ExplainRequest& request,
                     ExplanationView& view) {
  train::require_fitting(dataset.graphs, network.layout, network.settings.model.model, request.source);
  const train::EncodeLimits limits{request.max_memory, request.threads};
  const std::size_t target = target_for(network, request.target);
  const train::Explanation explanation = request.item ? explain_part(network, request, target, limits, view)
                                                      : explain_whole(network, request, target, limits, view);
  const train::ExplainBy by = explanation.by;
  view.model = model::to_string(network.settings.model.model);
  view.by = train::to_string(by);
  view.meaning = meaning_of(by);
  view.scores = train::predicted_scores(network.task, explanation.outputs);
  view.is_class = !network.task.has_values();
  if (view.is_class) {
    const std::uint32_t predicted = train::predicted_class(network.task, explanation.outputs);
    view.predicted = network.class_names[predicted];
    view.probability = view.scores.at(predicted);
  } else {
    view.scores = {view.scores[target]};
    if (network.task.is_yes_no())
      view.question = network.target_names[target];
    else if (network.target_names.size() > 1)
      view.meaning += fmt::format(" (target {})", network.target_names[target]);
    const std::size_t column = request.item ? dataset.num_real_targets : network.target_columns[target];
    if (column < dataset.num_real_targets) {
      const double value = dataset.real_targets[request.graph * dataset.num_real_targets + column];
      if (!std::isnan(value)) view.true_value = value;
    }
  }
  std::size_t num_pooled = 0;
  for (const train::RowContribution& row : explanation.rows) {
    view.rows.push_back({row.u, row.v, row.contribution, row.weight, row.score});
    num_pooled += !network.settings.model.loops_only || row.u == row.v;
  }
  if (by == train::ExplainBy::kAttention && num_pooled > 0)
    view.neutral = 1.0 / static_cast<double>(num_pooled);
}

void explain_kernel(const svm::KernelModel& model, const ExplainRequest& request, ExplanationView& view) {
  if (!request.by.empty() && request.by != "votes")
    throw UsageError(fmt::format("this kernel model has no {}; it has votes", request.by));
  const svm::Prediction prediction = model.predict(*view.graph);
  const svm::Votes votes = model.explain(*view.graph);
  view.model = gram::describe(model.kernel());
  view.by = "votes";
  view.meaning = model.gamma() > 0 ? "what each adds to the decision, by its slope at this graph"
                                   : "what each adds to the decision";
  view.predicted = model.class_names()[prediction.class_index];
  view.scores = svm::class_scores(prediction.decisions, model.class_names().size());
  // The decisions in which the predicted class takes part, each turned so that it is for that class.
  std::vector<double> sign;
  const auto classes = static_cast<std::uint32_t>(model.class_names().size());
  for (std::uint32_t a = 0; a < classes; ++a)
    for (std::uint32_t b = a + 1; b < classes; ++b)
      sign.push_back(a == prediction.class_index ? 1 : b == prediction.class_index ? -1 : 0);
  const auto turned = [&](const std::vector<double>& values) {
    double sum = 0;
    for (std::size_t pair = 0; pair < values.size(); ++pair) sum += sign.at(pair) * values[pair];
    return sum;
  };
  view.base = turned(votes.base);
  for (const svm::Vote& vote : votes.votes) view.rows.push_back({vote.u, vote.v, turned(vote.values), {}, {}});
}

}  // namespace

ExplanationView explain_model(const train::TrainedModel& model, const Dataset& dataset,
                              const ExplainRequest& request) {
  ExplanationView view;
  view.dataset = dataset.name;
  view.graph_number = request.graph + 1;
  view.graph = &dataset.graphs.at(request.graph);
  view.node_names = dataset.node_label_names;
  view.edge_names = dataset.edge_label_names;
  if (!dataset.ids.empty()) view.id = dataset.ids[request.graph];
  if (!dataset.smiles.empty()) view.smiles = dataset.smiles[request.graph];
  if (model.network && !request.item && model.network->settings.model.about != TargetOf::kGraphs)
    throw UsageError(fmt::format("needed a model of graphs to explain a graph, found one of {}",
                                 model::to_string(model.network->settings.model.about)));
  if (model.network)
    explain_network(*model.network, dataset, request, view);
  else
    explain_kernel(*model.kernel, request, view);
  view.names_graph = !request.item || dataset.graphs.size() > 1;
  if (request.item)
    add_truth(dataset, request, view);
  else if (view.is_class && dataset.has_classes())
    view.true_class = dataset.class_names[dataset.class_of[request.graph]];
  return view;
}

}  // namespace twofold::cli
