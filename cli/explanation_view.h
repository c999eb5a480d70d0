#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/item_targets.h"
#include "twofold/graph/label_names.h"

namespace twofold::cli {

/// A node (u == v) or a pair of nodes u < v, with what it had to do with an answer.
struct ExplainedRow {
  Node u = 0;
  Node v = 0;
  double contribution = 0;
  std::optional<double> weight;
  std::optional<double> score;
};

/// Why a model says what it says about one graph, whatever the model: all that pictures, pages and JSON show.
struct ExplanationView {
  std::string dataset;
  std::size_t graph_number = 0;  // from 1
  const Graph* graph = nullptr;
  // Of a node or pair: what is asked about, as `graph` calls it; the graph is then the part that the answer can
  // depend on, and `numbers` are the dataset's numbers of its nodes.
  std::optional<Item> asked;
  std::shared_ptr<const Graph> part;
  std::vector<Node> numbers;
  bool names_graph = true;  // whether the dataset has several graphs
  // What the dataset calls labels and the graph; empty where it has numbers alone.
  LabelNames node_names;
  LabelNames edge_names;
  std::string id;
  std::string smiles;
  std::string model;
  std::string by;
  std::string meaning;  // of `by`, in a few words

  // Otherwise it is a real value: scores[0] and true_value.
  bool is_class = true;
  // Of a question: which one; the value is the probability of yes.
  std::string question = {};
  std::string predicted;
  // Of a network: the probability of that class.
  std::optional<double> probability;
  // As the command `predict` gives them.
  std::vector<double> scores;
  // What the dataset says, if it does.
  std::optional<std::string> true_class;
  std::optional<double> true_value;

  std::vector<ExplainedRow> rows;
  // The contribution that says nothing: 0, or an equal share of the attention.
  double neutral = 0;
  // Votes: what the decision is where nothing votes.
  std::optional<double> base;

  /// How far a contribution may be from neutral: the largest distance of all rows.
  double reach() const;
  /// The dataset's number of a node.
  Node number(Node v) const { return numbers.empty() ? v : numbers[v]; }
  bool is_asked(Node v) const { return asked && (v == asked->u || v == asked->v); }
  /// Whether the asked pair is no edge, so that something has to show it.
  bool asks_for_no_edge() const;
  /// `graph 5 of TRIANGLE`, `node 17 of CORA`, `link 3-8 of graph 2 of mine`
  std::string title() const;
  /// For pictures: of a large part the nodes of the strongest rows, what is asked about, and the nodes between.
  ExplanationView thinned() const;
  /// `C` or `aromatic C – N`: the labels of its nodes; empty where they have no names.
  std::string names(const ExplainedRow& row) const;
  /// `node`, `edge` or `indirect`.
  const char* kind(const ExplainedRow& row) const;
  /// Row numbers, those farthest from neutral first; equals in their order.
  std::vector<std::size_t> strongest() const;
  /// `graph 5 of TRIANGLE: predicted class 1 (score 0.98), true class 1`
  std::string headline() const;
};

/// Keys as documented in docs/commands/explain.md, every row included.
nlohmann::ordered_json explanation_json(const ExplanationView& view);

/// One HTML page without scripts: the picture and a table of the strongest rows.
std::string explanation_page(const ExplanationView& view);

/// The same of several graphs: their pictures side by side, without tables.
std::string explanations_page(const std::vector<ExplanationView>& views);

}  // namespace twofold::cli
