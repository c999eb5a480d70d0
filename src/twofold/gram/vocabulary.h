#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/gram/feature_counts.h"
#include "twofold/gram/kernel.h"
#include "twofold/gram/vertex_colors.h"
#include "twofold/graph/graph.h"

namespace twofold::gram {

/// How often one graph has each feature of each round.
struct GraphFeatures {
  struct Count {
    std::uint32_t feature;
    std::uint64_t count;
  };
  // Iterations + 1 lists; features differ within a list.
  std::vector<std::vector<Count>> rounds;
};

/// What of a graph has which feature: a vertex (u == v), or a pair u < v.
struct ObjectFeatures {
  Node u;
  Node v;
  // A round: the feature, or kNoColor where the vocabulary does not have it.
  std::vector<std::uint32_t> features;
  // A round: how often the object counts for its feature. 2 for a pair of one color in wl-sp, else 1.
  std::vector<std::uint32_t> times;
};

/// The features of a kernel, fitted to some graphs and applied to others (inductive): every color is kept with
/// what it is made of, exactly, so that further graphs get the same colors.
///
/// Fitting (add) and applying (find) are kept apart: find never changes the vocabulary, and what it does not
/// hold gives no feature. For Gram matrices alone gram_matrix() is faster and takes far less memory.
class Vocabulary {
 public:
  explicit Vocabulary(const Kernel& kernel);

  /// The features of a graph; new ones enter the vocabulary. Throws Error once it exceeds max_memory bytes (0:
  /// nine tenths of the machine's).
  GraphFeatures add(const Graph& g, std::uint64_t max_memory = 0);
  /// The features of a graph that the vocabulary holds. Safe from several threads.
  GraphFeatures find(const Graph& g) const;
  /// The same object by object, for explanations: summed up they give find(). n vertices or n (n-1) / 2 pairs;
  /// for wl-sp those at finite distance, for 2-wl those within the radius and the n vertices.
  std::vector<ObjectFeatures> objects(const Graph& g) const;

  const Kernel& kernel() const { return kernel_; }
  std::size_t num_rounds() const { return static_cast<std::size_t>(kernel_.iterations) + 1; }
  std::size_t num_features(std::size_t round) const;
  /// The node labels of the graphs that were added, ascending; none if those had none. For the kernels on sets
  /// only of graphs with two nodes or more. O(features of round 0).
  std::vector<Label> node_labels() const;
  /// The factor of a feature in the kernel (FeatureCounts::weights).
  std::uint32_t weight(std::size_t round, std::uint32_t feature) const;
  std::uint64_t bytes() const;

  /// The tables, for files: those of the vertices' colors (empty for the kernels on pairs), then those of the
  /// pairs' features (empty for wl-st), a table a round each.
  std::vector<const WordTable*> tables() const;
  /// From tables as given there. Throws InputError naming `source` for what cannot be one.
  static Vocabulary from_tables(const Kernel& kernel, std::vector<WordTable> tables, const std::string& source);

 private:
  bool on_vertices() const { return kernel_.kind == KernelKind::kWlSubtree; }
  bool on_paths() const { return kernel_.kind == KernelKind::kWlShortestPath; }
  template <typename Intern>
  std::vector<std::vector<std::uint32_t>> color_pairs(const class PairColors& pairs, const Intern& intern,
                                                      GraphFeatures* features) const;
  template <typename Intern>
  GraphFeatures count(const Graph& g, const std::vector<std::uint32_t>& colors, const Intern& intern) const;

  Kernel kernel_;
  VertexColors vertices_;
  std::vector<WordTable> pairs_;
};

/// The counts of one round of several graphs, as GramSum takes them.
FeatureCounts join_features(const Vocabulary& vocabulary, const std::vector<GraphFeatures>& graphs,
                            std::size_t round);

}  // namespace twofold::gram
