#include "twofold/train/explanation.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/nn/graph_model.h"
#include "twofold/train/removal.h"
#include "twofold/train/torch_batch.h"

namespace twofold::train {
namespace {

using torch::Tensor;

// Up to here removal takes about a second at the usual sizes.
constexpr std::size_t kRemovalLimit = 500;

// A network run on one graph, with all that explanations are made of.
struct Run {
  std::unique_ptr<TorchBatch> batch;
  nn::Readout readout;
  std::int64_t num_rows = 0;
  std::int64_t num_pooled = 0;
};

Run run_network(const Network& network, const EncodedDataset& data, std::uint32_t graph,
                nn::GraphModel& model) {
  Run run;
  TorchBatchOptions options;
  options.dtype = torch::kDouble;
  options.loops_only = network.settings.model.loops_only;
  options.dense_features = true;
  Batch batch;
  batch.graphs = {graph};
  run.batch = make_torch_batch(data, batch, network.task.features, options);
  run.batch->graphs.features.requires_grad_(true);
  {
    const torch::NoGradGuard guard;
    model->flat.copy_(torch::tensor(network.parameters, torch::kFloat));
  }
  model->eval();
  run.readout = model->forward(run.batch->graphs);
  run.num_rows = run.batch->graphs.features.size(0);
  run.num_pooled = network.settings.model.loops_only && model::has_pair_rows(network.settings.model.model)
                       ? static_cast<std::int64_t>(data.graphs()[graph].num_nodes())
                       : run.num_rows;
  return run;
}

// The answer's column in the outputs, and 1, or -1 where the first of two classes has won.
struct Answer {
  std::int64_t column = 0;
  double sign = 1;
};

Answer answer_of(const Objective& task, const std::vector<float>& outputs, std::size_t target) {
  if (task.is_regression()) return {static_cast<std::int64_t>(target), 1};
  const std::uint32_t predicted = predicted_class(task, outputs);
  if (task.kind == model::TaskKind::kBinary) return {0, predicted == 1 ? 1.0 : -1.0};
  return {static_cast<std::int64_t>(predicted), 1};
}

// A row a row, a column a channel: its part in what pooling gives. Largest and smallest values have one row
// each, the first of equals, as in pooling.
Tensor pooling_weights(const model::ModelOptions& options, const Run& run) {
  const Tensor rows = run.readout.rows.detach();
  Tensor weights = torch::zeros_like(rows);
  if (run.num_pooled == 0) return weights;
  const Tensor pooled = rows.slice(0, 0, run.num_pooled);
  Tensor part = weights.slice(0, 0, run.num_pooled);
  switch (options.pooling) {
    case model::Pooling::kWeightedMean:
      part.copy_(torch::softmax(run.readout.scores.detach().slice(0, 0, run.num_pooled), 0));
      break;
    case model::Pooling::kMean:
      part.fill_(1.0 / static_cast<double>(run.num_pooled));
      break;
    case model::Pooling::kSum:
      part.fill_(1);
      break;
    case model::Pooling::kMax:
    case model::Pooling::kMin: {
      const Tensor best = options.pooling == model::Pooling::kMax ? std::get<0>(pooled.max(0, true))
                                                                  : std::get<0>(pooled.min(0, true));
      const Tensor hit = pooled == best;
      part.copy_(torch::logical_and(hit, hit.cumsum(0) == 1));
      break;
    }
  }
  return weights;
}

std::vector<double> values_of(const Tensor& tensor) {
  const Tensor flat = tensor.detach().to(torch::kDouble).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

std::vector<double> gradient_times_input(const Run& run, const Answer& answer, double scale) {
  if (run.num_rows == 0) return {};
  const Tensor& features = run.batch->graphs.features;
  const Tensor value = run.readout.outputs.select(1, answer.column).sum() * (answer.sign * scale);
  const Tensor gradient = torch::autograd::grad({value}, {features})[0];
  return values_of((gradient * features.detach()).sum(1));
}

void add_pooling(const Network& network, const Run& run, const Answer& answer, Explanation& explanation) {
  const bool has_scores = network.settings.model.head == model::Head::kNone;
  if (!has_scores && network.settings.model.pooling != model::Pooling::kWeightedMean) return;
  const Tensor weights = pooling_weights(network.settings.model, run);
  const auto mean_weight = values_of(has_scores ? weights.select(1, answer.column) : weights.mean(1));
  std::vector<double> scores;
  if (has_scores) scores = values_of(run.readout.rows.select(1, answer.column));
  const bool is_binary = network.task.kind == model::TaskKind::kBinary;
  for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
    RowContribution& row = explanation.rows[f];
    row.weight = mean_weight[f];
    if (explanation.by == ExplainBy::kAttention) row.contribution = mean_weight[f];
    if (!has_scores) continue;
    row.score = is_binary && answer.sign < 0 ? 1 - scores[f] : scores[f];
    if (explanation.by == ExplainBy::kScore)
      row.contribution = mean_weight[f] * (is_binary ? *row.score - 0.5 : *row.score);
  }
}

}  // namespace

const char* to_string(ExplainBy by) {
  switch (by) {
    case ExplainBy::kAttention:
      return "attention";
    case ExplainBy::kGradient:
      return "gradient";
    case ExplainBy::kScore:
      return "score";
    case ExplainBy::kRemoval:
      return "removal";
  }
  return "";
}

bool has_explanation(const model::ModelOptions& options, ExplainBy by) {
  if (by == ExplainBy::kGradient || by == ExplainBy::kRemoval) return true;
  if (options.model == model::ModelKind::kGin || options.model == model::ModelKind::kMlp) return false;
  return by == ExplainBy::kAttention ? options.pooling == model::Pooling::kWeightedMean
                                     : options.head == model::Head::kNone;
}

ExplainBy default_explanation(const model::ModelOptions& options, const Graph& graph) {
  if (graph.num_nodes() + graph.num_edges() <= kRemovalLimit) return ExplainBy::kRemoval;
  return has_explanation(options, ExplainBy::kScore) ? ExplainBy::kScore : ExplainBy::kGradient;
}

void refuse_explanation(const model::ModelOptions& options, const std::string& word) {
  std::string has;
  for (const ExplainBy other :
       {ExplainBy::kAttention, ExplainBy::kGradient, ExplainBy::kScore, ExplainBy::kRemoval})
    if (has_explanation(options, other))
      has += (has.empty() ? "" : other == ExplainBy::kRemoval ? " and " : ", ") + std::string(to_string(other));
  throw UsageError(fmt::format("this {} (pooling {}, head {}) has no {}; it has {}",
                               model::to_string(options.model), model::to_string(options.pooling),
                               model::to_string(options.head), word, has));
}

Explanation explain(const Network& network, const EncodedDataset& data, std::uint32_t graph, ExplainBy by,
                    std::size_t target) {
  if (!has_explanation(network.settings.model, by)) refuse_explanation(network.settings.model, to_string(by));
  TWOFOLD_CHECK(graph < data.num_graphs());
  if (by == ExplainBy::kRemoval) return explain_by_removal(network, data.graphs()[graph], target);
  Explanation explanation;
  explanation.by = by;
  try {
    at::set_num_threads(1);
    nn::GraphModel model(network.settings.model, static_cast<std::int64_t>(data.columns()), torch::kDouble);
    const Run run = run_network(network, data, graph, model);
    for (const double value : values_of(run.readout.outputs)) {
      if (!std::isfinite(value)) throw Error(fmt::format("the network's output is {}", value));
      explanation.outputs.push_back(static_cast<float>(value));
    }
    explanation.rows.resize(static_cast<std::size_t>(run.num_rows));
    for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
      RowContribution& row = explanation.rows[f];
      row.u = row.v = static_cast<Node>(f);
      if (run.batch->slice.sets.empty()) continue;
      const pairs::PairSet& set = *run.batch->slice.sets[0];
      row.u = set.first[f];
      row.v = set.second[f];
      row.kind = set.kind[f];
    }
    const Answer answer = answer_of(network.task, explanation.outputs, target);
    if (has_explanation(network.settings.model, ExplainBy::kAttention) ||
        has_explanation(network.settings.model, ExplainBy::kScore))
      add_pooling(network, run, answer, explanation);
    if (by == ExplainBy::kGradient) {
      const auto values = gradient_times_input(
          run, answer, network.task.is_regression() ? network.task.target_scale[target] : 1);
      for (std::size_t f = 0; f < values.size(); ++f) explanation.rows[f].contribution = values[f];
    }
  } catch (const c10::Error& error) {
    if (is_out_of_memory(error)) throw std::bad_alloc();
    throw Error(error.what_without_backtrace());
  }
  return explanation;
}

}  // namespace twofold::train
