#include "twofold/train/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/net_shape.h"
#include "twofold/train/removal.h"
#include "twofold/train/seen_symmetry.h"

namespace twofold::train {
namespace {

// Up to here removal takes about a second at the usual sizes.
constexpr std::size_t kRemovalLimit = 500;

// A network run on one graph in double numbers, with all that explanations are made of.
struct Run {
  std::vector<double> outputs;
  // Per row: the features of the last layer, and the scores of a weighted mean, as many columns as there are.
  std::size_t num_rows = 0;
  std::size_t num_pooled = 0;
  std::size_t width = 0;
  std::vector<double> rows;
  std::size_t score_columns = 0;
  std::vector<double> scores;
  // Per row: how often it counts.
  std::vector<double> times;
  PairSlice slice;
};

class Runner {
 public:
  Runner(const Network& network, std::size_t member, const EncodedDataset& data, std::uint32_t graph)
      : network_(network),
        data_(data),
        graph_(graph),
        parameters_(network.member(member).begin(), network.member(member).end()),
        net_(net_shape(network.settings.model, data.columns(),
                       model::parameter_layout(network.settings.model, data.columns()), network.task)),
        batches_(make_row_batches<double>(data, network.settings.model, net_.shape(), network.task.features)) {
    batch_.graphs = {graph};
  }

  Run run() {
    const model::ModelOptions& model = network_.settings.model;
    const compute::NetShape& shape = net_.shape();
    Run run;
    run.num_rows = data_.num_rows(graph_);
    run.num_pooled = model.loops_only && model::has_pair_rows(model.model) ? data_.graphs()[graph_].num_nodes()
                                                                           : run.num_rows;
    run.width = shape.stack.layers.back().out();
    run.rows.resize(run.num_rows * run.width);
    run.outputs.resize(shape.num_outputs);
    if (model.pooling == model::Pooling::kWeightedMean)
      run.score_columns = model.attention == model::Attention::kStack ? run.width : 1;
    run.scores.resize(run.num_rows * run.score_columns);
    net_.outputs(batches_->make(batch_), parameters_.data(),
                 {run.outputs.data(), nullptr, run.rows.data(), run.scores.data()});
    if (model::has_pair_rows(model.model)) run.slice = data_.pair_sets(batch_.graphs);
    const Span<const std::uint32_t> node_times = data_.node_times(graph_);
    run.times.assign(run.num_rows, 1);
    for (std::size_t row = 0; !node_times.empty() && row < run.num_rows; ++row)
      run.times[row] = node_times[run.slice.sets.empty() ? row : run.slice.sets[0]->first[row]];
    return run;
  }

  // Per row: the sum over its initial features of the answer's slope times the feature.
  std::vector<double> gradient_times_input(const Run& run, std::size_t column, double slope) {
    const std::size_t columns = data_.columns();
    std::vector<double> doutputs(run.outputs.size(), 0);
    doutputs[column] = slope;
    std::vector<double> gradient(run.num_rows * columns);
    net_.gradient(batches_->make(batch_), parameters_.data(), doutputs.data(), nullptr, gradient.data());
    const std::vector<double> features = features_of(run);
    std::vector<double> sums(run.num_rows, 0);
    for (std::size_t row = 0; row < run.num_rows; ++row)
      for (std::size_t c = 0; c < columns; ++c)
        sums[row] += gradient[row * columns + c] * features[row * columns + c];
    return sums;
  }

 private:
  std::vector<double> features_of(const Run& run) const {
    const std::size_t columns = data_.columns(), weights = num_columns(data_.layout().weights);
    const std::size_t plain = columns - weights;
    const pairs::PairSet* const set = run.slice.sets.empty() ? nullptr : run.slice.sets[0];
    std::vector<float> found(run.num_rows * plain);
    data_.write_features(graph_, set, network_.task.features, found.data());
    std::vector<double> more(run.num_rows * weights);
    if (weights > 0) data_.write_weights(graph_, *set, more.data());
    std::vector<double> features;
    for (std::size_t row = 0; row < run.num_rows; ++row) {
      features.insert(features.end(), found.begin() + static_cast<std::ptrdiff_t>(row * plain),
                      found.begin() + static_cast<std::ptrdiff_t>((row + 1) * plain));
      features.insert(features.end(), more.begin() + static_cast<std::ptrdiff_t>(row * weights),
                      more.begin() + static_cast<std::ptrdiff_t>((row + 1) * weights));
    }
    return features;
  }

  const Network& network_;
  const EncodedDataset& data_;
  std::uint32_t graph_;
  std::vector<double> parameters_;
  compute::Net<double> net_;
  std::unique_ptr<BatchMaker<double>> batches_;
  Batch batch_;
};

// The answer's column in the outputs, and 1, or -1 where the first of two classes has won.
struct Answer {
  std::size_t column = 0;
  double sign = 1;
};

Answer answer_of(const Objective& task, const std::vector<float>& outputs, std::size_t target) {
  if (task.has_values()) return {target, 1};
  const std::uint32_t predicted = predicted_class(task, outputs);
  if (task.kind == model::TaskKind::kBinary) return {0, predicted == 1 ? 1.0 : -1.0};
  return {predicted, 1};
}

// Per row and channel: its part in what pooling gives. Of equal largest or smallest values each has the same
// part, as in pooling.
std::vector<double> pooling_weights(const model::ModelOptions& options, const Run& run) {
  const std::size_t w = run.width;
  std::vector<double> weights(run.num_rows * w, 0);
  for (std::size_t c = 0; c < w; ++c) {
    const auto score = [&](std::size_t row) {
      return run.scores[row * run.score_columns + (run.score_columns == 1 ? 0 : c)];
    };
    double best = 0, most = 0, sum = 0;
    for (std::size_t row = 0; row < run.num_pooled; ++row) {
      const double value = run.rows[row * w + c];
      const bool is_better = options.pooling == model::Pooling::kMin ? value < best : value > best;
      if (row == 0 || is_better) best = value;
      if (run.score_columns > 0) most = row == 0 ? score(row) : std::max(most, score(row));
    }
    for (std::size_t row = 0; row < run.num_pooled; ++row) {
      double& weight = weights[row * w + c];
      switch (options.pooling) {
        case model::Pooling::kWeightedMean:
          weight = run.times[row] * std::exp(score(row) - most);
          break;
        case model::Pooling::kMax:
        case model::Pooling::kMin:
          weight = run.rows[row * w + c] == best ? run.times[row] : 0;
          break;
        case model::Pooling::kMean:
        case model::Pooling::kSum:
        case model::Pooling::kProduct:  // of links alone
          weight = run.times[row];
          break;
      }
      sum += weight;
    }
    if (options.pooling == model::Pooling::kSum) continue;
    for (std::size_t row = 0; row < run.num_pooled; ++row) weights[row * w + c] /= sum;
  }
  return weights;
}

void add_pooling(const Network& network, const Run& run, const Answer& answer, Explanation& explanation) {
  const bool has_scores = network.settings.model.head == model::Head::kNone;
  if (!has_scores && network.settings.model.pooling != model::Pooling::kWeightedMean) return;
  const std::vector<double> weights = pooling_weights(network.settings.model, run);
  const bool is_binary = network.task.kind == model::TaskKind::kBinary;
  for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
    RowContribution& row = explanation.rows[f];
    const double* const parts = weights.data() + f * run.width;
    const double weight = has_scores
                              ? parts[answer.column]
                              : std::accumulate(parts, parts + run.width, 0.0) / static_cast<double>(run.width);
    row.weight = weight;
    if (explanation.by == ExplainBy::kAttention) row.contribution = weight;
    if (!has_scores) continue;
    const double score = run.rows[f * run.width + answer.column];
    row.score = is_binary && answer.sign < 0 ? 1 - score : score;
    if (explanation.by == ExplainBy::kScore)
      row.contribution = weight * (is_binary ? *row.score - 0.5 : *row.score);
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
  // A node reads out its own row: there is nothing to weigh.
  if (options.about != TargetOf::kGraphs) return false;
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

namespace {

void add(RowContribution& sum, const RowContribution& more) {
  sum.contribution += more.contribution;
  if (sum.weight && more.weight) *sum.weight += *more.weight;
  if (sum.score && more.score) *sum.score += *more.score;
}

void divide(RowContribution& row, double by) {
  row.contribution /= by;
  if (row.weight) *row.weight /= by;
  if (row.score) *row.score /= by;
}

// What one member says of the answer that all give together.
Explanation explain_member(const Network& network, Runner& runner, const Run& run, ExplainBy by,
                           const std::vector<float>& outputs, std::size_t target) {
  Explanation explanation;
  explanation.by = by;
  explanation.outputs = outputs;
  explanation.rows.resize(run.num_rows);
  for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
    RowContribution& row = explanation.rows[f];
    row.u = row.v = static_cast<Node>(f);
    if (run.slice.sets.empty()) continue;
    const pairs::PairSet& set = *run.slice.sets[0];
    row.u = set.first[f];
    row.v = set.second[f];
    row.kind = set.kind[f];
  }
  const Answer answer = answer_of(network.task, explanation.outputs, target);
  if (has_explanation(network.settings.model, ExplainBy::kAttention) ||
      has_explanation(network.settings.model, ExplainBy::kScore))
    add_pooling(network, run, answer, explanation);
  if (by != ExplainBy::kGradient) return explanation;
  const double scale = network.task.has_values() ? network.task.target_scale[target] : 1;
  const std::vector<double> values = runner.gradient_times_input(run, answer.column, answer.sign * scale);
  for (std::size_t f = 0; f < values.size(); ++f) explanation.rows[f].contribution = values[f];
  return explanation;
}

// Row f and its image under each generator, united: per row the first of its orbit.
std::vector<std::size_t> row_orbits(const std::vector<RowContribution>& rows,
                                    const std::map<std::pair<Node, Node>, std::size_t>& place,
                                    const wl::Symmetry& symmetry) {
  std::vector<std::size_t> first(rows.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto root = [&](std::size_t f) {
    while (first[f] != f) f = first[f] = first[first[f]];
    return f;
  };
  for (const std::vector<Node>& image : symmetry.generators)
    for (std::size_t f = 0; f < rows.size(); ++f) {
      const auto [u, v] = std::minmax(image[rows[f].u], image[rows[f].v]);
      const std::size_t a = root(f), b = root(place.at({u, v}));
      first[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t f = 0; f < rows.size(); ++f) first[f] = root(f);
  return first;
}

// Rows of marked copies as rows of the graph itself: what its copies say is added up, scores are averaged.
//
// A copy of an orbit stands for those of all its nodes, which say of a row's image what it says of the row.
// Over all automorphisms a row comes to each row of its own orbit equally often: so these share what was said
// of them.
void fold_copies(const EncodedDataset& data, std::uint32_t graph, Explanation& explanation) {
  const auto n = static_cast<Node>(data.given_graphs()[graph].num_nodes());
  const Span<const std::uint32_t> times = data.node_times(graph);
  std::map<std::pair<Node, Node>, std::size_t> place;
  std::vector<RowContribution> rows;
  // Loops come first, then pairs.
  for (const RowContribution& row : explanation.rows) {
    RowContribution own = row;
    own.u = row.u % n;
    own.v = row.v % n;
    if (own.score) *own.score *= (times.empty() ? 1.0 : times[row.u]) / n;
    const auto [found, is_new] = place.emplace(std::make_pair(own.u, own.v), rows.size());
    if (is_new)
      rows.push_back(own);
    else
      add(rows[found->second], own);
  }
  if (!times.empty()) {
    const std::vector<std::size_t> first =
        row_orbits(rows, place, seen_symmetry(data.given_graphs()[graph], data.layout()));
    std::vector<double> size(rows.size(), 0);
    for (std::size_t f = 0; f < rows.size(); ++f) {
      ++size[first[f]];
      if (first[f] != f) add(rows[first[f]], rows[f]);
    }
    for (std::size_t f = 0; f < rows.size(); ++f) {
      const RowContribution own = rows[f];
      rows[f] = rows[first[f]];
      rows[f].u = own.u;
      rows[f].v = own.v;
      if (first[f] == f) divide(rows[f], size[f]);
    }
  }
  explanation.rows = std::move(rows);
}

}  // namespace

Explanation explain(const Network& network, const EncodedDataset& data, std::uint32_t graph, ExplainBy by,
                    std::size_t target) {
  if (!has_explanation(network.settings.model, by)) refuse_explanation(network.settings.model, to_string(by));
  TWOFOLD_CHECK(graph < data.num_graphs());
  if (by == ExplainBy::kRemoval) return explain_by_removal(network, data.given_graphs()[graph], {target, {}});
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<Run> runs;
  std::vector<std::vector<float>> outputs;
  for (std::size_t m = 0; m < network.num_members(); ++m) {
    runners.push_back(std::make_unique<Runner>(network, m, data, graph));
    runs.push_back(runners.back()->run());
    outputs.emplace_back();
    for (const double value : runs.back().outputs) {
      if (!std::isfinite(value)) throw Error(fmt::format("the network's output is {}", value));
      outputs.back().push_back(static_cast<float>(value));
    }
  }
  const std::vector<float> joined = joined_outputs(network.task, outputs);
  Explanation explanation = explain_member(network, *runners[0], runs[0], by, joined, target);
  const auto folded = [&](Explanation found) {
    if (data.layout().is_marked) fold_copies(data, graph, found);
    return found;
  };
  if (network.num_members() == 1) return folded(std::move(explanation));
  const auto count = static_cast<double>(network.num_members());
  for (std::size_t m = 1; m < network.num_members(); ++m) {
    const Explanation other = explain_member(network, *runners[m], runs[m], by, joined, target);
    for (std::size_t f = 0; f < explanation.rows.size(); ++f) add(explanation.rows[f], other.rows[f]);
  }
  for (RowContribution& row : explanation.rows) divide(row, count);
  return folded(std::move(explanation));
}

}  // namespace twofold::train
