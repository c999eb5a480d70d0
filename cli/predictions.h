#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twofold/graph/item_targets.h"

namespace twofold::cli {

/// What a model says about one graph.
struct Prediction {
  // Into Predictions::classes; of a real value nothing.
  std::optional<std::uint32_t> class_index;
  // One per class, in their order; or the values.
  std::vector<double> scores;
  // What of the graph the model does not know, as `node label 9`; else empty.
  std::string unknown;
  // Of an ensemble: how far its members lie apart, one number for the class, or one per value. Else empty.
  std::vector<double> spread = {};
  // With intervals: the ends of each value's, lower and upper in turn, or the classes that the interval has.
  std::vector<double> interval = {};
  std::vector<std::uint32_t> class_set = {};
};

/// What a model says about all graphs of a dataset.
struct Predictions {
  // The model's, in the order of the scores. None: it gives real values.
  std::vector<std::string> classes;
  // Of real values and questions: their names, in the order of the scores.
  std::vector<std::string> values;
  // The values are probabilities of yes.
  bool are_probabilities = false;
  std::vector<Prediction> graphs;
  // Of nodes or links, which `graphs` then are: which ones. Else empty.
  std::vector<Item> items = {};
  // Empty, or what the dataset calls each graph, and the SMILES it was read from.
  std::vector<std::string> ids = {};
  std::vector<std::string> smiles = {};
  // Empty, or what the dataset says of each graph: the name of its class, or its values, NaN where one is not
  // known.
  std::vector<std::string> true_classes;
  std::vector<double> true_values;

  bool is_of_links() const { return !items.empty() && items[0].u != items[0].v; }
  /// `graphs`, `nodes`, `links`.
  const char* what() const { return items.empty() ? "graphs" : is_of_links() ? "links" : "nodes"; }
  bool has_classes() const { return !classes.empty(); }
  bool has_truth() const { return !true_classes.empty() || !true_values.empty(); }
  bool has_unknown() const;
  // Of a block of graphs: the number of the first of them, and whether any of all graphs has something unknown.
  // The header stands before the first block.
  std::size_t first = 0;
  bool some_have_unknown = false;
  // The level of the intervals; 0: there are none.
  double level = 0;
  bool has_intervals() const { return level > 0 && !are_probabilities; }
  bool has_spread() const { return !graphs.empty() && !graphs[0].spread.empty(); }
};

enum class PredictionFormat { kText, kCsv, kJson, kJsonLines };

/// By the path's ending: .csv, .json, .jsonl, .txt; throws UsageError for another.
PredictionFormat prediction_format(const std::string& path);

/// The object of `predict --json`: classes and predictions.
nlohmann::ordered_json predictions_json(const Predictions& predictions);

/// The bytes of a file of predictions: a header and one line per graph, node or link, or the object above.
/// Graphs count from 1, nodes from 0, as in the files.
std::string format_predictions(const Predictions& predictions, PredictionFormat format);

/// A name as it stands in text output: between quotes where it is empty or has blanks, quotes or control
/// characters in it.
std::string plain_word(const std::string& name);

}  // namespace twofold::cli
