#include "twofold/svm/kernel_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/gram/gram.h"

namespace twofold::svm {

KernelModel KernelModel::fit(Span<const Graph> graphs, Span<const std::uint32_t> class_of,
                             std::vector<std::string> class_names, const FitOptions& options) {
  TWOFOLD_CHECK(graphs.size() == class_of.size());
  const std::size_t n = graphs.size();
  KernelModel model{gram::Vocabulary(options.kernel)};
  std::vector<gram::GraphFeatures> features;
  const std::uint64_t left = resolve_memory_limit(options.max_memory);
  for (const Graph& g : graphs) {
    check_interrupt();
    features.push_back(model.vocabulary_.add(g, left));
  }
  model.class_names_ = std::move(class_names);
  model.normalize_ = options.normalize;
  model.gamma_ = options.gamma;
  model.penalty_ = options.svc.penalty;
  model.tolerance_ = options.svc.tolerance;
  model.solver_ = resolve_solver(options.solver, options.kernel, options.gamma, n);
  const std::size_t num_classes = model.class_names_.size();
  if (model.solver_ == Solver::kLinear) {
    model.fit_linear(features, class_of, num_classes, options);
    return model;
  }
  const std::size_t rounds = model.vocabulary_.num_rounds();
  std::vector<double> own(n, 0);
  const Svc svc = model.fit_matrix(features, class_of, num_classes, options, own);
  const bool is_gaussian = options.gamma > 0;
  std::vector<std::vector<Supported>> supported(n);
  for (std::size_t pair = 0; pair < svc.num_pairs(); ++pair)
    for (const Support& support : svc.supports[pair]) {
      const double coefficient = support.coefficient * (is_gaussian ? 1 : model.scale(own[support.graph]));
      if (coefficient != 0) supported[support.graph].push_back({pair, coefficient});
    }
  const bool is_product = options.kernel.combine == gram::Combine::kProduct && !is_gaussian;
  // Of weights: a bend for each training graph that has the feature at most, or its entry among the supports.
  std::uint64_t num_rows = 0;
  for (std::size_t t = 0; t < rounds; ++t) {
    if (is_product) num_rows += model.vocabulary_.num_features(t);
    for (std::size_t j = 0; j < n && !is_product; ++j) num_rows += features[j].rounds[t].size();
  }
  require_memory(
      fmt::format("the weights of {} pairs of classes and {} features", svc.num_pairs(), num_rows),
      model.vocabulary_.bytes() + (sizeof(double) * svc.num_pairs() + (is_product ? 0 : 24)) * num_rows,
      resolve_memory_limit(options.max_memory));
  model.rho_ = svc.rho;
  if (is_gaussian)
    model.fit_gaussian(features, supported, own);
  else if (is_product)
    model.fit_product(features, supported);
  else
    model.fit_intersection(features, supported);
  return model;
}

// Gives `own` the raw values of graphs with themselves.
Svc KernelModel::fit_matrix(const std::vector<gram::GraphFeatures>& features,
                            Span<const std::uint32_t> class_of, std::size_t num_classes,
                            const FitOptions& options, std::vector<double>& own) const {
  const std::size_t n = features.size();
  const std::uint64_t words = memory_limit() ? 0 : vocabulary_.bytes();  // else they are no longer left
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  // libsvm's nodes, and rows of the matrix, as many at a time as there is room for.
  const std::uint64_t row = sizeof(std::int64_t) * n, needed = words + 16 * n * (n + 2);
  require_memory("training the SVM", needed + row, limit);
  const std::size_t at_once = std::min<std::size_t>(n, std::max<std::uint64_t>(1, (limit - needed) / 2 / row));
  gram::GramMatrix rows;
  const auto kernel_row = [&](std::size_t i, std::vector<double>& values) {
    if (i == rows.end()) {
      rows = {};
      gram::GramSum sum(n, {i, std::min(n, i + at_once)}, options.threads, options.max_memory,
                        options.kernel.combine);
      for (std::size_t t = 0; t < vocabulary_.num_rounds(); ++t)
        sum.add(gram::join_features(vocabulary_, features, t));
      rows = std::move(sum).finish();
    }
    own[i] = static_cast<double>(rows.own(i));
    if (options.normalize)
      rows.normalized_row(i, values);
    else
      std::copy(rows.row(i), rows.row(i) + n, values.begin());
    if (options.gamma == 0) return;
    const auto with_itself = [&](std::size_t j) {
      const auto raw = static_cast<double>(rows.own(j));
      return options.normalize ? (raw > 0 ? 1.0 : 0.0) : raw;
    };
    for (std::size_t j = 0; j < n; ++j)
      values[j] = gaussian(options.gamma, with_itself(i), with_itself(j), values[j]);
  };
  return train_svc(kernel_row, class_of, num_classes, options.svc, options.max_memory);
}

void KernelModel::fit_linear(const std::vector<gram::GraphFeatures>& features,
                             Span<const std::uint32_t> class_of, std::size_t num_classes,
                             const FitOptions& options) {
  const gram::FeatureColumns columns(vocabulary_);
  gram::SparseCounts counts;
  std::vector<std::uint32_t> all;
  for (const gram::GraphFeatures& one : features) {
    all.push_back(static_cast<std::uint32_t>(all.size()));
    gram::append_row(counts, vocabulary_, columns, one);
  }
  const std::size_t pairs = num_classes * (num_classes - 1) / 2;
  require_memory(fmt::format("the weights of {} pairs of classes and {} features", pairs, columns.size()),
                 vocabulary_.bytes() + counts.bytes() + 2 * sizeof(double) * pairs * columns.size(),
                 resolve_memory_limit(options.max_memory));
  const LinearSvc svc = train_linear({&counts, all, options.normalize}, class_of, num_classes, options.svc);
  rho_ = svc.rho;
  for (std::size_t t = 0; t < vocabulary_.num_rounds(); ++t) {
    std::vector<double> weights(rho_.size() * vocabulary_.num_features(t), 0);
    for (std::uint32_t f = 0; f < vocabulary_.num_features(t); ++f)
      for (std::size_t pair = 0; pair < rho_.size(); ++pair)
        for (std::uint32_t i = 0; i < vocabulary_.weight(t, f); ++i)
          weights[f * rho_.size() + pair] += svc.weights[pair][columns.first(t, f) + i];
    weights_.push_back(std::move(weights));
  }
}

void KernelModel::fit_product(const std::vector<gram::GraphFeatures>& features,
                              const std::vector<std::vector<Supported>>& supported) {
  for (std::size_t t = 0; t < vocabulary_.num_rounds(); ++t) {
    std::vector<double> weights(rho_.size() * vocabulary_.num_features(t), 0);
    for (std::size_t j = 0; j < features.size(); ++j)
      for (const auto& entry : features[j].rounds[t]) {
        const auto count = static_cast<double>(entry.count * vocabulary_.weight(t, entry.feature));
        double* const row = weights.data() + entry.feature * rho_.size();
        for (const Supported& by : supported[j]) row[by.pair] += by.coefficient * count;
      }
    weights_.push_back(std::move(weights));
  }
}

void KernelModel::fit_gaussian(const std::vector<gram::GraphFeatures>& features,
                               const std::vector<std::vector<Supported>>& supported,
                               const std::vector<double>& own) {
  std::vector<std::uint32_t> supports;
  for (std::uint32_t j = 0; j < supported.size(); ++j)
    if (!supported[j].empty()) supports.push_back(j);
  supports_ = index_supports(vocabulary_, features, supports);
  supports_.coefficients.assign(supports.size() * rho_.size(), 0);
  for (std::size_t s = 0; s < supports.size(); ++s) {
    supports_.own.push_back(own[supports[s]]);
    for (const Supported& by : supported[supports[s]])
      supports_.coefficients[s * rho_.size() + by.pair] = by.coefficient;
  }
}

// S_f(b) at a bend b: the counts of the graphs up to b, and b for each graph beyond it.
void KernelModel::fit_intersection(const std::vector<gram::GraphFeatures>& features,
                                   const std::vector<std::vector<Supported>>& supported) {
  struct Had {
    std::uint32_t feature;
    std::uint32_t graph;
    std::uint64_t count;
  };
  for (std::size_t t = 0; t < vocabulary_.num_rounds(); ++t) {
    std::vector<Had> had;
    for (std::size_t j = 0; j < features.size(); ++j)
      for (const auto& entry : features[j].rounds[t])
        if (!supported[j].empty()) had.push_back({entry.feature, static_cast<std::uint32_t>(j), entry.count});
    std::sort(had.begin(), had.end(), [](const Had& x, const Had& y) {
      return std::tie(x.feature, x.count, x.graph) < std::tie(y.feature, y.count, y.graph);
    });
    Bends bends;
    std::vector<double> weights, up_to(rho_.size()), beyond(rho_.size());
    std::size_t at = 0;
    for (std::uint32_t f = 0; f < vocabulary_.num_features(t); ++f) {
      std::size_t end = at;
      std::fill(up_to.begin(), up_to.end(), 0);
      std::fill(beyond.begin(), beyond.end(), 0);
      for (; end < had.size() && had[end].feature == f; ++end)
        for (const Supported& by : supported[had[end].graph]) beyond[by.pair] += by.coefficient;
      const double weight = vocabulary_.weight(t, f);
      while (at < end) {
        const std::uint64_t count = had[at].count;
        const auto value = static_cast<double>(count);
        for (; at < end && had[at].count == count; ++at)
          for (const Supported& by : supported[had[at].graph]) {
            up_to[by.pair] += by.coefficient * value;
            beyond[by.pair] -= by.coefficient;
          }
        bends.counts.push_back(count);
        // Beyond the last bend nothing is left, and no rounding error is to stay for it.
        for (std::size_t pair = 0; pair < rho_.size(); ++pair)
          weights.push_back(weight * (up_to[pair] + (at < end ? value * beyond[pair] : 0)));
      }
      bends.offsets.push_back(bends.counts.size());
    }
    bends_.push_back(std::move(bends));
    weights_.push_back(std::move(weights));
  }
}

std::size_t KernelModel::num_weight_rows(std::size_t round) const {
  return bends_.empty() ? vocabulary_.num_features(round) : bends_[round].counts.size();
}

void KernelModel::add_feature(std::size_t round, std::uint32_t feature, std::uint64_t count, double times,
                              std::vector<double>& sums) const {
  const std::size_t pairs = rho_.size();
  const double* const rows = weights_[round].data();
  const auto value = static_cast<double>(count);
  if (bends_.empty()) {
    for (std::size_t pair = 0; pair < pairs; ++pair)
      sums[pair] += times * (rows[feature * pairs + pair] * value);
    return;
  }
  const Bends& bends = bends_[round];
  const auto first = bends.counts.begin() + static_cast<std::ptrdiff_t>(bends.offsets[feature]);
  const auto last = bends.counts.begin() + static_cast<std::ptrdiff_t>(bends.offsets[feature + 1]);
  if (first == last) return;
  auto next = std::lower_bound(first, last, count);
  const bool is_beyond = next == last;
  if (is_beyond) --next;
  const double* const here = rows + static_cast<std::size_t>(next - bends.counts.begin()) * pairs;
  if (is_beyond || *next == count) {
    for (std::size_t pair = 0; pair < pairs; ++pair) sums[pair] += times * here[pair];
    return;
  }
  const auto begin = next == first ? 0.0 : static_cast<double>(next[-1]);  // S_f(0) = 0
  const double share = (value - begin) / (static_cast<double>(*next) - begin);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const double before = next == first ? 0.0 : here[pair - pairs];
    sums[pair] += times * (before + share * (here[pair] - before));
  }
}

double KernelModel::own_value(const Graph& g) const {
  return static_cast<double>(gram::gram_matrix({&g, 1}, kernel(), {1, 0, {}}).at(0, 0));
}

double KernelModel::scale(double own) const { return !normalize_ ? 1 : own > 0 ? 1 / std::sqrt(own) : 0; }

std::vector<double> KernelModel::gaussian_values(const gram::GraphFeatures& features, double own) const {
  std::vector<double> values = supports_.values(vocabulary_, features);
  const auto with_itself = [&](double raw) { return normalize_ ? (raw > 0 ? 1.0 : 0.0) : raw; };
  for (std::size_t s = 0; s < values.size(); ++s) {
    const double theirs = supports_.own[s];
    values[s] = gaussian(gamma_, with_itself(own), with_itself(theirs), values[s] * scale(own) * scale(theirs));
  }
  return values;
}

Prediction KernelModel::predict(const Graph& g) const {
  const gram::GraphFeatures features = vocabulary_.find(g);
  const std::size_t pairs = rho_.size();
  Prediction prediction;
  prediction.decisions.assign(pairs, 0);
  double factor = 1;
  if (gamma_ > 0) {
    const std::vector<double> values = gaussian_values(features, own_value(g));
    for (std::size_t s = 0; s < values.size(); ++s)
      for (std::size_t pair = 0; pair < pairs; ++pair)
        prediction.decisions[pair] += supports_.coefficients[s * pairs + pair] * values[s];
  } else {
    if (normalize_) factor = scale(own_value(g));
    for (std::size_t t = 0; t < weights_.size(); ++t)
      for (const auto& entry : features.rounds[t])
        add_feature(t, entry.feature, entry.count, 1, prediction.decisions);
  }
  for (std::size_t pair = 0; pair < pairs; ++pair)
    prediction.decisions[pair] = prediction.decisions[pair] * factor - rho_[pair];
  prediction.class_index = voted_class(prediction.decisions, class_names_.size());
  return prediction;
}

// The slope of a support vector's part of the decision by its kernel value K, at this graph, is
// 2 gamma coefficient exp(-gamma d²); an object votes with what it adds to K times that.
Votes KernelModel::explain_gaussian(const Graph& g) const {
  const std::size_t pairs = rho_.size();
  const gram::GraphFeatures features = vocabulary_.find(g);
  const double own = own_value(g);
  std::vector<double> slopes = gaussian_values(features, own);
  for (std::size_t s = 0; s < slopes.size(); ++s)
    slopes[s] *= 2 * gamma_ * scale(own) * scale(supports_.own[s]);
  std::vector<std::unordered_map<std::uint32_t, std::uint64_t>> counts(vocabulary_.num_rounds());
  for (std::size_t t = 0; t < counts.size(); ++t)
    for (const auto& entry : features.rounds[t]) counts[t][entry.feature] += entry.count;
  // What all objects of a feature vote together; they share it.
  std::vector<std::unordered_map<std::uint32_t, std::vector<double>>> votes_of(counts.size());
  std::vector<double> values(supports_.num_supports());
  for (std::size_t t = 0; t < counts.size(); ++t)
    for (const auto& [feature, count] : counts[t]) {
      std::fill(values.begin(), values.end(), 0);
      supports_.add(vocabulary_, t, feature, count, 1 / static_cast<double>(count), values);
      std::vector<double>& sums = votes_of[t][feature];
      sums.assign(pairs, 0);
      for (std::size_t s = 0; s < values.size(); ++s)
        for (std::size_t pair = 0; values[s] != 0 && pair < pairs; ++pair)
          sums[pair] += values[s] * slopes[s] * supports_.coefficients[s * pairs + pair];
    }
  Votes votes;
  votes.base = predict(g).decisions;
  for (const gram::ObjectFeatures& object : vocabulary_.objects(g)) {
    Vote vote{object.u, object.v, std::vector<double>(pairs, 0)};
    for (std::size_t t = 0; t < counts.size(); ++t) {
      if (object.features[t] == gram::kNoColor) continue;
      const std::vector<double>& each = votes_of[t].at(object.features[t]);
      for (std::size_t pair = 0; pair < pairs; ++pair) vote.values[pair] += object.times[t] * each[pair];
    }
    for (std::size_t pair = 0; pair < pairs; ++pair) votes.base[pair] -= vote.values[pair];
    votes.votes.push_back(std::move(vote));
  }
  return votes;
}

Votes KernelModel::explain(const Graph& g) const {
  if (gamma_ > 0) return explain_gaussian(g);
  const double factor = normalize_ ? scale(own_value(g)) : 1;
  Votes votes;
  for (const double rho : rho_) votes.base.push_back(-rho);
  // By intersection the objects of one feature share what it adds, each the same.
  std::vector<std::unordered_map<std::uint32_t, std::uint64_t>> counts(weights_.size());
  if (!bends_.empty()) {
    const gram::GraphFeatures features = vocabulary_.find(g);
    for (std::size_t t = 0; t < weights_.size(); ++t)
      for (const auto& entry : features.rounds[t]) counts[t][entry.feature] += entry.count;
  }
  for (const gram::ObjectFeatures& object : vocabulary_.objects(g)) {
    Vote vote{object.u, object.v, std::vector<double>(rho_.size(), 0)};
    for (std::size_t t = 0; t < weights_.size(); ++t) {
      const std::uint32_t feature = object.features[t];
      if (feature == gram::kNoColor) continue;
      const std::uint64_t count = bends_.empty() ? 1 : counts[t].at(feature);
      add_feature(t, feature, count, factor * object.times[t] / static_cast<double>(count), vote.values);
    }
    votes.votes.push_back(std::move(vote));
  }
  return votes;
}

}  // namespace twofold::svm
