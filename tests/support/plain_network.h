#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "twofold/model/parameter_layout.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"

namespace twofold::testing {

/// A network by its definitions, in double numbers and plain loops over whole batches: who meets whom is found
/// from distances in the graphs, every row is computed, weights are looked up by name. Slow and obvious.
class PlainNetwork {
 public:
  using Rows = std::vector<std::vector<double>>;

  PlainNetwork(const train::EncodedDataset& data, const model::ModelOptions& options,
               const std::vector<double>& parameters, const train::FeatureScaling& scaling = {})
      : data_(data),
        options_(options),
        layout_(model::parameter_layout(options, data.columns())),
        parameters_(parameters),
        scaling_(scaling) {}

  /// The outputs of each graph. In training rows are normalized over the batch; dropout is not known here.
  Rows outputs(const train::Batch& batch, bool trains) {
    trains_ = trains;
    gather(batch);
    if (options_.model == model::ModelKind::kGin) return gin();
    if (options_.model == model::ModelKind::kMlp) return mlp();
    std::vector<Rows> layers = stack("conv");
    if (options_.readout == model::Readout::kAll) {
      Rows sum(graphs_.size(), std::vector<double>(static_cast<std::size_t>(options_.outputs), 0));
      for (std::size_t t = 0; t < layers.size(); ++t) {
        const Rows more = head(fmt::format("readout.{}", t), pool(layers[t], {}));
        for (std::size_t g = 0; g < sum.size(); ++g)
          for (std::size_t c = 0; c < sum[g].size(); ++c) sum[g][c] += more[g][c];
      }
      return sum;
    }
    Rows scores;
    if (options_.pooling == model::Pooling::kWeightedMean) {
      scores = options_.attention == model::Attention::kStack ? stack("attention").back()
                                                              : times(layers.back(), "attention.weight");
    }
    return head("head", pool(layers.back(), scores));
  }

 private:
  struct Row {
    std::size_t graph = 0;
    Node u = 0;
    Node v = 0;
    pairs::RowKind kind = pairs::RowKind::kLoop;
    std::vector<std::pair<std::size_t, std::size_t>> triples;
    std::vector<std::pair<std::size_t, double>> neighbors;
  };

  bool has_pairs() const { return model::has_pair_rows(options_.model); }

  static std::vector<std::vector<int>> distances(const Graph& g) {
    constexpr int kFar = 1 << 20;
    std::vector<std::vector<int>> d(g.num_nodes(), std::vector<int>(g.num_nodes(), kFar));
    for (std::size_t v = 0; v < g.num_nodes(); ++v) {
      d[v][v] = 0;
      for (const Node u : g.neighbors(static_cast<Node>(v))) d[v][u] = 1;
    }
    for (std::size_t k = 0; k < d.size(); ++k)
      for (std::size_t i = 0; i < d.size(); ++i)
        for (std::size_t j = 0; j < d.size(); ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    return d;
  }

  void gather(const train::Batch& batch) {
    rows_.clear();
    x_.clear();
    graphs_.clear();
    for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
      const std::size_t first = rows_.size();
      const std::uint32_t number = batch.graphs[i];
      const Graph& g = data_.graphs()[number];
      const train::PairSlice slice =
          has_pairs() ? data_.pair_sets(std::vector<std::uint32_t>{number}) : train::PairSlice{};
      const pairs::PairSet* const set = has_pairs() ? slice.sets[0] : nullptr;
      std::vector<float> features(data_.num_rows(number) * data_.columns());
      data_.write_features(number, set, scaling_, features.data());
      for (std::size_t row = 0; row < data_.num_rows(number); ++row) {
        Row made;
        made.graph = i;
        made.u = has_pairs() ? set->first[row] : static_cast<Node>(row);
        made.v = has_pairs() ? set->second[row] : static_cast<Node>(row);
        if (has_pairs()) made.kind = set->kind[row];
        rows_.push_back(made);
        x_.emplace_back(features.begin() + static_cast<std::ptrdiff_t>(row * data_.columns()),
                        features.begin() + static_cast<std::ptrdiff_t>((row + 1) * data_.columns()));
      }
      graphs_.emplace_back(first, rows_.size());
      if (has_pairs())
        meet_pairs(g, first);
      else
        meet_nodes(g, first);
    }
  }

  void meet_pairs(const Graph& g, std::size_t first) {
    std::map<std::pair<Node, Node>, std::size_t> at;
    for (std::size_t f = first; f < rows_.size(); ++f) at[{rows_[f].u, rows_[f].v}] = f;
    const auto find = [&](std::size_t a, std::size_t b) {
      const auto found = at.find({static_cast<Node>(std::min(a, b)), static_cast<Node>(std::max(a, b))});
      return found == at.end() ? rows_.size() : found->second;
    };
    const auto d = distances(g);
    const int radius = options_.radius.is_all() ? std::numeric_limits<int>::max() : options_.radius.steps();
    for (std::size_t f = first; f < rows_.size(); ++f) {
      Row& row = rows_[f];
      if (options_.model == model::ModelKind::k2WlGnn) {
        for (std::size_t l = 0; l < g.num_nodes(); ++l)
          if (d[row.u][l] <= radius && d[l][row.v] <= radius)
            row.triples.emplace_back(find(row.u, l), find(l, row.v));
        continue;
      }
      // Rows that share an end: loops and edges are next to each other, and edges; a row not to itself.
      for (std::size_t e = first; e < rows_.size(); ++e) {
        if (e == f) continue;
        const Row& other = rows_[e];
        int shared = (row.u == other.u) + (row.u == other.v) + (row.v == other.u) + (row.v == other.v);
        if (row.u == row.v) shared /= 2;
        if (other.u == other.v) shared /= 2;
        if (shared > 0) row.neighbors.emplace_back(e, shared);
      }
    }
  }

  void meet_nodes(const Graph& g, std::size_t first) {
    const auto list = [&](std::size_t v) {
      std::vector<std::size_t> found;
      for (const Node u : g.neighbors(static_cast<Node>(v))) found.push_back(u);
      const bool is_gcn = options_.model == model::ModelKind::kGcn;
      if (is_gcn || (options_.self_loops && g.has_self_loop(static_cast<Node>(v)))) found.push_back(v);
      return found;
    };
    for (std::size_t v = 0; v < g.num_nodes(); ++v)
      for (const std::size_t u : list(v)) {
        double weight = 1;
        if (options_.model == model::ModelKind::kSage) weight = 1 / static_cast<double>(list(v).size());
        if (options_.model == model::ModelKind::kGcn)
          weight = 1 / std::sqrt(static_cast<double>(list(v).size() * list(u).size()));
        rows_[first + v].neighbors.emplace_back(first + u, weight);
      }
  }

  const double* values(const std::string& name) const { return parameters_.data() + layout_.at(name).offset; }
  bool has(const std::string& name) const { return layout_.find(name) != nullptr; }

  Rows times(const Rows& x, const std::string& weight) const {
    const model::Parameter& w = layout_.at(weight);
    Rows y(x.size(), std::vector<double>(w.columns, 0));
    for (std::size_t f = 0; f < x.size(); ++f)
      for (std::size_t i = 0; i < w.rows; ++i)
        for (std::size_t j = 0; j < w.columns; ++j)
          y[f][j] += x[f][i] * parameters_[w.offset + i * w.columns + j];
    return y;
  }

  static double act(compute::Activation activation, double x) {
    switch (activation) {
      case compute::Activation::kIdentity:
        return x;
      case compute::Activation::kRelu:
        return std::max(x, 0.0);
      case compute::Activation::kLogistic:
        return 1 / (1 + std::exp(-x));
      case compute::Activation::kTanh:
        return std::tanh(x);
      case compute::Activation::kGelu:
        return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      case compute::Activation::kSilu:
        return x / (1 + std::exp(-x));
    }
    return 0;
  }

  void normalize(const std::string& name, model::Norm norm, Rows& x) const {
    if (norm == model::Norm::kNone || !has(name + ".scale") || x.empty()) return;
    const double* const scale = values(name + ".scale");
    const double* const shift = values(name + ".shift");
    const std::size_t d = x[0].size();
    const auto statistics = [](const std::vector<double>& list) {
      double mean = 0, variance = 0;
      for (const double value : list) mean += value / static_cast<double>(list.size());
      for (const double value : list)
        variance += (value - mean) * (value - mean) / static_cast<double>(list.size());
      return std::make_pair(mean, variance);
    };
    for (std::size_t c = 0; norm == model::Norm::kBatch && c < d; ++c) {
      std::vector<double> column;
      for (const auto& row : x) column.push_back(row[c]);
      auto [mean, variance] = statistics(column);
      if (!trains_ || x.size() == 1) {
        mean = values(name + ".mean")[c];
        variance = values(name + ".variance")[c];
      }
      for (auto& row : x) row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5) * scale[c] + shift[c];
    }
    for (std::size_t f = 0; norm == model::Norm::kLayer && f < x.size(); ++f) {
      const auto [mean, variance] = statistics(x[f]);
      for (std::size_t c = 0; c < d; ++c)
        x[f][c] = (x[f][c] - mean) / std::sqrt(variance + 1e-5) * scale[c] + shift[c];
    }
  }

  void finish(const std::string& name, model::Norm norm, compute::Activation activation, Rows& x) const {
    if (has(name + ".bias"))
      for (auto& row : x)
        for (std::size_t c = 0; c < row.size(); ++c) row[c] += values(name + ".bias")[c];
    normalize(name, norm, x);
    for (auto& row : x)
      for (double& value : row) value = act(activation, value);
  }

  std::vector<Rows> stack(const std::string& prefix) const {
    std::vector<Rows> layers;
    for (int t = 0; t < options_.layers; ++t) {
      const std::string name = fmt::format("{}.{}", prefix, t);
      Rows in = t == 0 ? x_ : layers.back();
      if (t > 0 && options_.jumping_knowledge)
        for (std::size_t f = 0; f < in.size(); ++f) in[f].insert(in[f].end(), x_[f].begin(), x_[f].end());
      const Rows products = times(in, name + ".weight");
      const bool has_triples = options_.model == model::ModelKind::k2WlGnn;
      const bool has_gate = has_triples && options_.gate != model::Gate::kNone;
      const bool has_own = options_.model != model::ModelKind::kGcn;
      const std::size_t blocks = 1 + has_own + has_gate;
      const std::size_t d = layout_.at(name + ".weight").columns / blocks;
      const std::size_t last = (blocks - 1) * d;
      Rows sums(rows_.size(), std::vector<double>(d, 0));
      for (std::size_t f = 0; f < rows_.size(); ++f)
        for (std::size_t c = 0; c < d; ++c) {
          for (const auto& [a, b] : rows_[f].triples) {
            const double bias = has(name + ".inner_bias") ? values(name + ".inner_bias")[c] : 0;
            sums[f][c] += act(options_.inner_activation, products[a][last + c] + products[b][last + c] + bias);
          }
          for (const auto& [u, weight] : rows_[f].neighbors) sums[f][c] += weight * products[u][last + c];
        }
      normalize(name + ".sum", options_.sum_norm, sums);
      Rows y(rows_.size(), std::vector<double>(d, 0));
      for (std::size_t f = 0; f < rows_.size(); ++f)
        for (std::size_t c = 0; c < d; ++c) {
          const double own = has_own ? products[f][c] : 0;
          double gate = has_gate ? products[f][d + c] : 1;
          if (has_gate && options_.gate == model::Gate::kBounded) gate = std::tanh(gate);
          y[f][c] = own + gate * sums[f][c];
        }
      const bool answers = t + 1 == options_.layers && options_.head == model::Head::kNone && prefix == "conv";
      const compute::Activation end = !answers ? options_.activation
                                      : options_.task == model::TaskKind::kBinary
                                          ? compute::Activation::kLogistic
                                          : compute::Activation::kIdentity;
      const bool has_second = has_triples && !has_gate;
      finish(name, options_.norm, has_second ? options_.activation : end, y);
      if (has_second) {
        y = times(y, name + ".second.weight");
        finish(name + ".second", options_.norm, end, y);
      }
      if (options_.residual && t > 0 && !layers.back().empty() && layers.back()[0].size() == y[0].size())
        for (std::size_t f = 0; f < y.size(); ++f)
          for (std::size_t c = 0; c < y[f].size(); ++c) y[f][c] += layers.back()[f][c];
      layers.push_back(std::move(y));
    }
    return layers;
  }

  Rows pool(const Rows& rows, const Rows& scores) const {
    Rows pooled(graphs_.size());
    for (std::size_t g = 0; g < graphs_.size(); ++g)
      for (const model::Pooling pooling : model::all_poolings(options_))
        for (int kind = 0; kind < (options_.pool_by_kind ? 3 : 1); ++kind) {
          std::vector<std::size_t> members;
          for (std::size_t f = graphs_[g].first; f < graphs_[g].second; ++f) {
            if (options_.pool_by_kind && static_cast<int>(rows_[f].kind) != kind) continue;
            if (options_.loops_only && rows_[f].u != rows_[f].v) continue;
            members.push_back(f);
          }
          const std::size_t d = rows.empty() ? 0 : rows[0].size();
          for (std::size_t c = 0; c < d; ++c) pooled[g].push_back(pool_one(pooling, rows, scores, members, c));
        }
    return pooled;
  }

  static double pool_one(model::Pooling pooling, const Rows& rows, const Rows& scores,
                         const std::vector<std::size_t>& members, std::size_t c) {
    if (members.empty()) return 0;
    double sum = 0, total = 0;
    double least = rows[members[0]][c], most = least;
    for (const std::size_t f : members) {
      const double weight = scores.empty() ? 1 : std::exp(scores[f][scores[f].size() == 1 ? 0 : c]);
      sum += weight * rows[f][c];
      total += weight;
      least = std::min(least, rows[f][c]);
      most = std::max(most, rows[f][c]);
    }
    switch (pooling) {
      case model::Pooling::kSum:
        return sum;
      case model::Pooling::kMax:
        return most;
      case model::Pooling::kMin:
        return least;
      default:
        return sum / total;
    }
  }

  Rows linear(const Rows& x, const std::string& name) const {
    Rows y = times(x, name + ".weight");
    for (auto& row : y)
      for (std::size_t c = 0; c < row.size(); ++c) row[c] += values(name + ".bias")[c];
    return y;
  }

  Rows head(const std::string& name, Rows vectors, compute::Activation activation) const {
    vectors = linear(vectors, name + ".0");
    for (auto& row : vectors)
      for (double& value : row) value = act(activation, value);
    return linear(vectors, name + ".1");
  }
  Rows head(const std::string& name, Rows vectors) const {
    normalize(name + ".pooled", options_.pool_norm, vectors);
    if (options_.head == model::Head::kMlp) return head(name, std::move(vectors), options_.activation);
    if (options_.head == model::Head::kLinear) return linear(vectors, name);
    if (options_.task != model::TaskKind::kBinary) return vectors;
    for (auto& row : vectors)
      for (double& p : row) p = std::log(p / (1 - p));
    return vectors;
  }

  Rows gin() const {
    Rows x = x_;
    Rows sum(graphs_.size(), std::vector<double>(static_cast<std::size_t>(options_.outputs), 0));
    const model::Norm norm = options_.batch_norm ? model::Norm::kBatch : model::Norm::kNone;
    for (int t = 0; t <= options_.layers; ++t) {
      const std::string name = fmt::format("conv.{}", t);
      Rows in = x;
      if (t > 0) {
        const double eps = has(name + ".eps") ? values(name + ".eps")[0] : 0;
        for (std::size_t f = 0; f < in.size(); ++f)
          for (std::size_t c = 0; c < in[f].size(); ++c) {
            in[f][c] = (1 + eps) * x[f][c];
            for (const auto& [u, weight] : rows_[f].neighbors) in[f][c] += weight * x[u][c];
          }
      }
      for (const char* part : {".0", ".1"}) {
        in = times(in, name + part + ".weight");
        finish(name + part, norm, compute::Activation::kRelu, in);
      }
      x = in;
      const Rows more = linear(pool(x, {}), fmt::format("readout.{}", t));
      for (std::size_t g = 0; g < sum.size(); ++g)
        for (std::size_t c = 0; c < sum[g].size(); ++c) sum[g][c] += more[g][c];
    }
    return sum;
  }

  Rows mlp() const {
    Rows x = x_;
    if (options_.mlp_form == model::MlpForm::kPerVertex) {
      x = times(x, "vertex.weight");
      finish("vertex", model::Norm::kNone, compute::Activation::kRelu, x);
    }
    return head("head", pool(x, {}), compute::Activation::kRelu);
  }

  const train::EncodedDataset& data_;
  model::ModelOptions options_;
  model::ParameterLayout layout_;
  const std::vector<double>& parameters_;
  train::FeatureScaling scaling_;
  bool trains_ = false;
  std::vector<Row> rows_;
  Rows x_;
  std::vector<std::pair<std::size_t, std::size_t>> graphs_;
};

}  // namespace twofold::testing
