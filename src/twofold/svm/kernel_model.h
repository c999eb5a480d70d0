#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/gram/vocabulary.h"
#include "twofold/graph/graph.h"
#include "twofold/graph/label_names.h"
#include "twofold/svm/gaussian.h"
#include "twofold/svm/linear_svc.h"
#include "twofold/svm/solver.h"
#include "twofold/svm/svc.h"

namespace twofold::svm {

struct FitOptions {
  gram::Kernel kernel;
  /// Cosine values instead of raw counts.
  bool normalize = false;
  /// Above 0: a Gaussian of the distances that these values give (gaussian.h).
  double gamma = 0;
  Solver solver = Solver::kAuto;
  SvcOptions svc;
  /// In bytes; 0 takes nine tenths of the machine's.
  std::uint64_t max_memory = 0;
  int threads = 0;
};

struct Prediction {
  std::uint32_t class_index = 0;
  // A pair of classes (Svc): positive for the first.
  std::vector<double> decisions;
};

/// What a vertex (u == v) or a pair u < v adds to the decision of each pair of classes.
struct Vote {
  Node u;
  Node v;
  std::vector<double> values;
};
struct Votes {
  std::vector<Vote> votes;
  // A pair of classes: the decision where nothing votes; behind a Gaussian, where the decision is no sum, what
  // votes by its slopes at this graph leave over. Decision = base + sum of the votes.
  std::vector<double> base;
};

/// A support vector classifier with its fitted features: it predicts graphs that it has never seen.
///
/// A kernel of products is linear in the counts, so a decision is a sum over features f of weights[f] · count
/// of f, with weights[f] = Σ over training graphs j of coefficient_j · count of f in j. By intersection it is a
/// sum of functions of the counts, S_f(c) = Σ_j coefficient_j · min(c, count of f in j), each linear between
/// the counts that training graphs have, which are kept with their values. Features that no training graph has
/// take no part (they could not change K(x, training graph) either). Behind a Gaussian the support vectors
/// themselves are kept (SupportIndex).
class KernelModel {
 public:
  /// Trains on all the graphs given. Needs as many class indices below class_names.size().
  static KernelModel fit(Span<const Graph> graphs, Span<const std::uint32_t> class_of,
                         std::vector<std::string> class_names, const FitOptions& options);

  Prediction predict(const Graph& g) const;
  Votes explain(const Graph& g) const;

  const gram::Kernel& kernel() const { return vocabulary_.kernel(); }
  const std::vector<std::string>& class_names() const { return class_names_; }
  /// Of the training graphs (gram::Vocabulary::node_labels).
  std::vector<Label> node_labels() const { return vocabulary_.node_labels(); }
  double penalty() const { return penalty_; }
  double tolerance() const { return tolerance_; }
  bool is_normalized() const { return normalize_; }
  /// 0: no Gaussian.
  double gamma() const { return gamma_; }
  /// kLibsvm or kLinear.
  Solver solver() const { return solver_; }

  /// The names of labels in the training data, if they are texts.
  InputNames names;

  /// The bytes of a model file (record/tensor_file.h); the same model gives the same bytes.
  std::string encode() const;
  /// Throws InputError naming `source` for anything but a model of this kind.
  static KernelModel decode(std::string_view bytes, const std::string& source);

 private:
  explicit KernelModel(gram::Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  // A pair of classes that a training graph supports, with its coefficient there.
  struct Supported {
    std::size_t pair;
    double coefficient;
  };
  // The raw value of a graph with itself counts all its features, those of no training graph too.
  double own_value(const Graph& g) const;
  // 1, or 1 / sqrt of the raw value with itself for normalized kernels (0 for a graph without features).
  double scale(double own) const;
  // Behind a Gaussian, of each support vector.
  std::vector<double> gaussian_values(const gram::GraphFeatures& features, double own) const;
  Votes explain_gaussian(const Graph& g) const;

  gram::Vocabulary vocabulary_;
  std::vector<std::string> class_names_;
  bool normalize_ = false;
  double gamma_ = 0;
  double penalty_ = 1;
  double tolerance_ = 0.001;
  Solver solver_ = Solver::kLibsvm;
  std::vector<double> rho_;
  // By intersection, one a round: where S_f bends. Those of feature f stand at offsets[f]…offsets[f+1],
  // ascending, none is 0.
  struct Bends {
    std::vector<std::uint64_t> offsets = {0};
    std::vector<std::uint64_t> counts;
  };
  Svc fit_matrix(const std::vector<gram::GraphFeatures>& features, Span<const std::uint32_t> class_of,
                 std::size_t num_classes, const FitOptions& options, std::vector<double>& own) const;
  void fit_gaussian(const std::vector<gram::GraphFeatures>& features,
                    const std::vector<std::vector<Supported>>& supported, const std::vector<double>& own);
  void fit_linear(const std::vector<gram::GraphFeatures>& features, Span<const std::uint32_t> class_of,
                  std::size_t num_classes, const FitOptions& options);
  void fit_product(const std::vector<gram::GraphFeatures>& features,
                   const std::vector<std::vector<Supported>>& supported);
  void fit_intersection(const std::vector<gram::GraphFeatures>& features,
                        const std::vector<std::vector<Supported>>& supported);
  // sums[pair] += times · what `count` occurrences of a feature add to the decision of the pair.
  void add_feature(std::size_t round, std::uint32_t feature, std::uint64_t count, double times,
                   std::vector<double>& sums) const;
  // Rows of weights in a round: features, or bends.
  std::size_t num_weight_rows(std::size_t round) const;

  // A round: a row of rho_.size() values, one per pair of classes, for each feature, or for each bend the
  // values of S_f there. A prediction adds up rows.
  std::vector<std::vector<double>> weights_;
  std::vector<Bends> bends_;
  // Behind a Gaussian, in place of both.
  SupportIndex supports_;
};

}  // namespace twofold::svm
