#include "twofold/train/graph_blocks.h"

#include <set>

#include "twofold/graph/checksum.h"

namespace twofold::train {
namespace {

// Tells which graphs have something that none before them has.
class Novelty {
 public:
  bool look_at(const Graph& g) {
    const std::size_t before = seen_.size() + node_labels_.size() + edge_labels_.size() + degrees_.size();
    node_labels_.insert(g.node_labels().begin(), g.node_labels().end());
    edge_labels_.insert(g.edge_labels().begin(), g.edge_labels().end());
    for (std::size_t v = 0; v < g.num_nodes(); ++v) degrees_.insert(g.degree(static_cast<Node>(v)));
    seen_.insert({g.is_directed(), g.num_nodes() > 0, g.num_edges() > 0, g.has_node_labels(),
                  g.has_edge_labels(), g.num_node_attributes() > 0, g.num_edge_attributes() > 0});
    return seen_.size() + node_labels_.size() + edge_labels_.size() + degrees_.size() > before;
  }

 private:
  std::set<std::vector<bool>> seen_;
  std::set<Label> node_labels_, edge_labels_;
  std::set<std::size_t> degrees_;
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

BlockSummary summarize(GraphBlocks& blocks, const Dataset& empty) {
  BlockSummary summary;
  summary.targets = empty;
  DatasetChecksum checksum(blocks.num_graphs());
  Novelty novelty;
  blocks.visit([&](const Dataset& block, std::size_t) {
    checksum.add(block.graphs);
    append(summary.targets.class_of, block.class_of);
    append(summary.targets.real_targets, block.real_targets);
    for (const Graph& g : block.graphs)
      if (novelty.look_at(g)) summary.known.push_back(g);
    return true;
  });
  summary.checksum = checksum.finish(summary.targets);
  return summary;
}

}  // namespace twofold::train
