#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/explanation_view.h"
#include "twofold/base/progress.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {

struct ExplainRequest {
  /// Which graph of the dataset, from 0.
  std::size_t graph = 0;
  /// removal, attention, gradient, score or votes; empty: what suits model and graph.
  std::string by;
  /// Of several real values, by name or from 1; empty: the first.
  std::string target;
  /// The dataset, for messages.
  std::string source;
  int threads = 0;
  std::uint64_t max_memory = 0;
  Progress progress;
  /// Of a model of nodes or links: which, by the dataset's numbers; its graph is `graph`.
  std::optional<Item> item = {};
};

/// Why the model says what it says about one graph, node or pair. The view looks at the dataset, which must
/// outlive it. Throws UsageError for a kind that the model does not have, InputError for graphs that do not fit
/// it.
ExplanationView explain_model(const train::TrainedModel& model, const Dataset& dataset,
                              const ExplainRequest& request);

}  // namespace twofold::cli
