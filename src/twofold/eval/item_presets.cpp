#include <map>

#include "twofold/base/error.h"
#include "twofold/eval/grid.h"

namespace twofold::eval {
namespace {

// Nodes of one graph, few of which are known: small networks that drop much of what they read (Kipf and Welling
// 2017), without a head, for 200 epochs of which validation keeps the best. Chosen by the validation nodes of
// Cora's public split (docs/nodes_and_links.md).
constexpr const char* kNodesQuick = R"(
["2-wl-gnn"]
PAIR_NODES
["2-gnn"]
layers = 2
width = 64
activation = "tanh"
WITHOUT_HEAD
layer-dropout = 0.5
USUAL
[gin]
layers = 2
width = 64
pooling = "mean"
layer-dropout = 0.5
USUAL
[gcn]
layers = 2
width = 16
WITHOUT_HEAD
layer-dropout = 0.5
USUAL
[sage]
layers = 2
width = 16
WITHOUT_HEAD
layer-dropout = 0.5
USUAL
[mlp]
width = 64
pooling = "mean"
USUAL
)";

// The same with something to choose from.
constexpr const char* kNodes = R"(
["2-wl-gnn"]
PAIR_NODES
["2-gnn"]
layers = 2
width = [16, 64]
activation = "tanh"
WITHOUT_HEAD
layer-dropout = [0.5, 0.8]
USUAL
[gin]
layers = 2
width = [16, 64]
pooling = "mean"
layer-dropout = [0.5, 0.8]
USUAL
[gcn]
layers = 2
width = [16, 64, 128]
WITHOUT_HEAD
layer-dropout = [0.5, 0.8]
USUAL
[sage]
layers = 2
width = [16, 64, 128]
WITHOUT_HEAD
layer-dropout = [0.5, 0.8]
USUAL
[mlp]
width = [16, 64]
pooling = "mean"
USUAL
)";

// A loop hears of its neighbors' words in its second layer, through the rows of its edges, so twice the layers;
// words that are divided by their number, or multiplied by a gate, do not come through four of them.
constexpr const char* kPairNodes = R"(layers = 4
width = WIDTHS
activation = "tanh"
inner-activation = "tanh"
gate = "none"
norm = "none"
head = "linear"
pooling = "mean"
jumping-knowledge = false
standardize = false
layer-dropout = 0.5
weight-decay = 0.005
lr = 0.01
warmup = 0
schedule = "constant"
epochs = 200
patience = 0
stop-on = "metric+loss"
)";

constexpr const char* kWithoutHead = R"(norm = "none"
head = "none"
pooling = "mean"
jumping-knowledge = false)";

constexpr const char* kUsual = R"(weight-decay = 0.0005
lr = 0.01
warmup = 0
schedule = "constant"
epochs = 200
patience = 0
stop-on = "metric+loss"
)";

// Edges that were taken out of a graph: what two nodes look like decides more than how far they see, so one
// layer; of pairs two, since a loop hears of its neighbors' words in the second. Each of the parts that edges
// are asked about in is a batch of its own.
constexpr const char* kLinksQuick = R"(
["2-wl-gnn"]
layers = 2
width = 32
activation = "tanh"
inner-activation = "tanh"
gate = "none"
head = "linear"
standardize = false
pooling = "mean+max"
LINKS
["2-gnn"]
layers = 2
width = 64
standardize = false
pooling = "mean+max"
LINKS
[gin]
layers = 1
width = 64
pooling = "mean+max"
layer-dropout = 0.5
weight-decay = 0.0001
lr = 0.01
batch = 1
epochs = 50
patience = 0
[gcn]
layers = 1
width = 64
pooling = "mean+max"
LINKS
[sage]
layers = 1
width = 64
pooling = "mean+max"
LINKS
[mlp]
width = 64
pooling = "mean+max"
weight-decay = 0.0001
lr = 0.01
batch = 1
epochs = 50
patience = 0
)";

constexpr const char* kLinksRule = R"(norm = "none"
jumping-knowledge = false
layer-dropout = 0.5
weight-decay = 0.0001
lr = 0.01
warmup = 0
schedule = "constant"
batch = 1
epochs = 50
patience = 0
)";

void put_in(std::string& text, const std::string& word, const std::string& by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

std::string filled(std::string text, const std::string& widths = "32") {
  put_in(text, "PAIR_NODES", kPairNodes);
  put_in(text, "WIDTHS", widths);
  put_in(text, "WITHOUT_HEAD", kWithoutHead);
  put_in(text, "USUAL", kUsual);
  put_in(text, "LINKS", kLinksRule);
  return text;
}

}  // namespace

const std::string* item_preset_text(const std::string& preset) {
  static const std::map<std::string, std::string> texts = [] {
    std::string links = kLinksQuick;
    put_in(links, "\"mean+max\"", "[\"mean+max\", \"product+max\"]");
    return std::map<std::string, std::string>{{"nodes-quick", filled(kNodesQuick)},
                                              {"nodes", filled(kNodes, "[32, 64]")},
                                              {"links-quick", filled(kLinksQuick)},
                                              {"links", filled(links)}};
  }();
  const auto found = texts.find(preset);
  return found == texts.end() ? nullptr : &found->second;
}

LearntFrom learnt_from(const model::Targets& targets, bool holds_out_edges) {
  if (holds_out_edges) return LearntFrom::kHeldOutEdges;
  return targets.task().about == TargetOf::kNodes && !targets.has_several_graphs()
             ? LearntFrom::kNodesOfOneGraph
             : LearntFrom::kGraphs;
}

std::string preset_for(const std::string& preset, LearntFrom what) {
  switch (what) {
    case LearntFrom::kGraphs:
      return preset;
    case LearntFrom::kNodesOfOneGraph:
      return preset == "default" ? "nodes" : preset == "quick" ? "nodes-quick" : preset;
    case LearntFrom::kHeldOutEdges:
      return preset == "default" ? "links" : preset == "quick" ? "links-quick" : preset;
  }
  return preset;
}

}  // namespace twofold::eval
