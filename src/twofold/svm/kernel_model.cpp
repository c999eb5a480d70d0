#include "twofold/svm/kernel_model.h"

#include <cmath>

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
  const std::size_t rounds = model.vocabulary_.num_rounds();
  // The sum's matrix, its values as doubles, and libsvm's nodes.
  const std::uint64_t words = memory_limit() ? 0 : model.vocabulary_.bytes();  // else they are no longer left
  require_memory("training the SVM", words + 32 * n * n, resolve_memory_limit(options.max_memory));
  gram::GramSum sum(n, options.threads, options.max_memory);
  for (std::size_t t = 0; t < rounds; ++t) sum.add(gram::join_features(model.vocabulary_, features, t));
  const gram::GramMatrix matrix = std::move(sum).finish();

  std::vector<double> kernel(matrix.values.begin(), matrix.values.end());
  std::vector<double> scales(n, 1);
  if (options.normalize) {
    std::vector<double> row;
    for (std::size_t i = 0; i < n; ++i) {
      matrix.normalized_row(i, row);
      std::copy(row.begin(), row.end(), kernel.begin() + static_cast<std::ptrdiff_t>(i * n));
      scales[i] = matrix.at(i, i) > 0 ? 1 / std::sqrt(static_cast<double>(matrix.at(i, i))) : 0;
    }
  }
  const Svc svc = train_svc(kernel, class_of, class_names.size(), options.svc);

  // The pairs that each training graph supports, with its coefficient there.
  struct Supported {
    std::size_t pair;
    double coefficient;
  };
  std::vector<std::vector<Supported>> supported(n);
  for (std::size_t pair = 0; pair < svc.num_pairs(); ++pair)
    for (const Support& support : svc.supports[pair]) {
      const double coefficient = support.coefficient * scales[support.graph];
      if (coefficient != 0) supported[support.graph].push_back({pair, coefficient});
    }
  std::uint64_t num_features = 0;
  for (std::size_t t = 0; t < rounds; ++t) num_features += model.vocabulary_.num_features(t);
  require_memory(
      fmt::format("the weights of {} pairs of classes and {} features", svc.num_pairs(), num_features),
      model.vocabulary_.bytes() + sizeof(double) * svc.num_pairs() * num_features,
      resolve_memory_limit(options.max_memory));
  for (std::size_t t = 0; t < rounds; ++t) {
    std::vector<double> weights(svc.num_pairs() * model.vocabulary_.num_features(t), 0);
    for (std::size_t j = 0; j < n; ++j)
      for (const auto& entry : features[j].rounds[t]) {
        const auto count = static_cast<double>(entry.count * model.vocabulary_.weight(t, entry.feature));
        double* const row = weights.data() + entry.feature * svc.num_pairs();
        for (const Supported& by : supported[j]) row[by.pair] += by.coefficient * count;
      }
    model.weights_.push_back(std::move(weights));
  }
  model.rho_ = svc.rho;
  model.class_names_ = std::move(class_names);
  model.normalize_ = options.normalize;
  model.penalty_ = options.svc.penalty;
  model.tolerance_ = options.svc.tolerance;
  return model;
}

// The value of the graph with itself counts all its features, those of no training graph too.
double KernelModel::scale(const Graph& g) const {
  if (!normalize_) return 1;
  const auto own = gram::gram_matrix({&g, 1}, kernel(), {1, 0, {}}).at(0, 0);
  return own > 0 ? 1 / std::sqrt(static_cast<double>(own)) : 0;
}

Prediction KernelModel::predict(const Graph& g) const {
  const gram::GraphFeatures features = vocabulary_.find(g);
  const double factor = scale(g);
  Prediction prediction;
  prediction.decisions.assign(rho_.size(), 0);
  for (std::size_t t = 0; t < weights_.size(); ++t)
    for (const auto& entry : features.rounds[t]) {
      const double* const row = weights_[t].data() + entry.feature * rho_.size();
      const auto count = static_cast<double>(entry.count);
      for (std::size_t pair = 0; pair < rho_.size(); ++pair) prediction.decisions[pair] += row[pair] * count;
    }
  for (std::size_t pair = 0; pair < rho_.size(); ++pair)
    prediction.decisions[pair] = prediction.decisions[pair] * factor - rho_[pair];
  prediction.class_index = voted_class(prediction.decisions, class_names_.size());
  return prediction;
}

Votes KernelModel::explain(const Graph& g) const {
  const double factor = scale(g);
  Votes votes;
  for (const double rho : rho_) votes.base.push_back(-rho);
  for (const gram::ObjectFeatures& object : vocabulary_.objects(g)) {
    Vote vote{object.u, object.v, std::vector<double>(rho_.size(), 0)};
    for (std::size_t pair = 0; pair < rho_.size(); ++pair)
      for (std::size_t t = 0; t < weights_.size(); ++t)
        if (object.features[t] != gram::kNoColor)
          vote.values[pair] += factor * object.times[t] * weights_[t][object.features[t] * rho_.size() + pair];
    votes.votes.push_back(std::move(vote));
  }
  return votes;
}

}  // namespace twofold::svm
