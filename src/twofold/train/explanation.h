#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/model/model_options.h"
#include "twofold/pairs/pair_set.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/model_file.h"

namespace twofold::train {

/// What tells how much a row had to do with an answer. The answer is the logit of the predicted class (for two
/// classes the other one's is 0 minus it), or the value in terms of the targets as given.
enum class ExplainBy {
  /// The row's weight in the weighted mean; of several channels the mean. All rows together: 1.
  kAttention,
  /// The gradient of the answer by the row's initial features, as the network reads them, times these features,
  /// summed over the columns.
  kGradient,
  /// Without a head rows are pooled into the answer itself: weight · (score - 1/2) for two classes, the score
  /// being the row's probability of the predicted class; weight · score else. All rows together: the
  /// probability - 1/2, the logit, or the network's value (before it is scaled to the targets).
  kScore,
  /// What the answer loses when a node or an edge is taken away (train/removal.h).
  kRemoval,
};
const char* to_string(ExplainBy by);

/// A row of a network's input: a node (u == v) or a pair of nodes u < v.
struct RowContribution {
  Node u = 0;
  Node v = 0;
  pairs::RowKind kind = pairs::RowKind::kLoop;
  /// Positive for the predicted class (removal, gradient, score); a weight from 0 on (attention).
  double contribution = 0;
  /// The row's part in pooling, of several channels the mean: for the weighted mean, and for models without a
  /// head. 0 for rows that are not pooled.
  std::optional<double> weight;
  /// Without a head: what the row says, for two classes its probability of the predicted class.
  std::optional<double> score;
};

struct Explanation {
  ExplainBy by = ExplainBy::kGradient;
  /// Of the graph, as Engine::outputs gives them up to rounding.
  std::vector<float> outputs;
  /// In the order of the encoding: nodes first, then pairs by (u, v).
  std::vector<RowContribution> rows;
};

/// Whether a network can be explained so: attention needs a weighted mean, score a model without a head, both
/// one of graphs.
bool has_explanation(const model::ModelOptions& options, ExplainBy by);
/// Throws UsageError: the network has no `word`, and which kinds it has.
[[noreturn]] void refuse_explanation(const model::ModelOptions& options, const std::string& word);
/// Removal, unless the graph has so many nodes and edges that it would take long: then score without a head,
/// else gradient.
ExplainBy default_explanation(const model::ModelOptions& options, const Graph& graph);

/// Explains what the network says about one graph of `data`, which must have been encoded for it. Computed in
/// double, on one thread; relabelled nodes permute the rows and change contributions by rounding alone.
///
/// Of an ensemble: the mean over its members of what each says of the answer that they give together.
///
/// Of nodes and links, `data` has one graph and one item, and `graph` is 0 (item_explanation.h).
///
/// Throws UsageError naming the kinds that the network has if it lacks this one, Error for outputs that are not
/// finite. A graph without rows has no contributions. Of several real values the one numbered `target` is
/// meant. Costs about one forward and one backward pass.
Explanation explain(const Network& network, const EncodedDataset& data, std::uint32_t graph, ExplainBy by,
                    std::size_t target = 0);

}  // namespace twofold::train
