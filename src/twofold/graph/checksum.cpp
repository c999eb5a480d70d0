#include "twofold/graph/checksum.h"

#include <cmath>
#include <limits>

namespace twofold {
namespace {

void add_graph(const Graph& g, Digest& digest) {
  digest.add(static_cast<std::uint64_t>(g.num_nodes()));
  for (Node v = 0; v < g.num_nodes(); ++v) digest.add_integers(g.neighbors(v));
  if (g.is_directed()) {  // nothing for the others, so that they keep their checksums
    digest.add(std::string("directed"));
    for (const Edge arc : g.arcs()) digest.add(std::uint64_t{arc.u} << 32 | arc.v);
  }
  digest.add_integers(g.self_loops());
  digest.add_integers(g.node_labels());
  digest.add_integers(g.edge_labels());
  digest.add(static_cast<std::uint64_t>(g.num_node_attributes()));
  for (Node v = 0; v < g.num_nodes(); ++v)
    for (const double value : g.node_attributes(v)) digest.add(value);
  digest.add(static_cast<std::uint64_t>(g.num_edge_attributes()));
  if (g.num_edge_attributes() == 0) return;
  for (std::size_t e = 0; e < g.num_edges() + g.num_self_loops(); ++e)
    for (const double value : g.edge_attributes(e)) digest.add(value);
}

// Nothing for none, so that datasets of before there were any keep their checksums.
void add_items(const ItemTargets& targets, TargetOf of, Digest& digest) {
  if (targets.empty()) return;
  digest.add(static_cast<std::uint64_t>(of));
  digest.add(static_cast<std::uint64_t>(targets.items.size()));
  for (const Item item : targets.items)
    for (const std::uint32_t part : {item.graph, item.u, item.v}) digest.add(static_cast<std::uint64_t>(part));
  for (const std::string& name : targets.class_names) digest.add(name);
  digest.add_integers(Span<const std::uint32_t>(targets.class_of));
  for (const double value : targets.values)
    digest.add(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
}

void add_features(const NodeFeatures& features, Digest& digest) {
  digest.add(static_cast<std::uint64_t>(features.columns));
  digest.add_integers(Span<const std::uint32_t>(features.offsets));
  digest.add_integers(Span<const std::uint32_t>(features.indices));
  for (const float value : features.values) digest.add(static_cast<double>(value));
}

}  // namespace

void DatasetChecksum::add(Span<const Graph> graphs) {
  for (const Graph& g : graphs) {
    add_graph(g, digest_);
    if (features_ == nullptr) features_ = g.node_features();
  }
}

std::string DatasetChecksum::finish(const Dataset& dataset) {
  Digest& digest = digest_;
  digest.add(static_cast<std::uint64_t>(dataset.class_names.size()));
  for (const std::string& name : dataset.class_names) digest.add(name);
  digest.add_integers(Span<const std::uint32_t>(dataset.class_of));
  digest.add(static_cast<std::uint64_t>(dataset.num_real_targets));
  // All NaNs are the same: not known.
  for (const double value : dataset.real_targets)
    digest.add(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
  for (const std::string& name : dataset.target_names) digest.add(name);
  add_items(dataset.node_targets, TargetOf::kNodes, digest);
  add_items(dataset.pair_targets, TargetOf::kLinks, digest);
  if (features_ != nullptr) add_features(*features_, digest);
  for (const LabelNames* names : {&dataset.node_label_names, &dataset.edge_label_names})
    for (const auto& [label, name] : *names) digest.add(name);
  return digest.text();
}

std::string checksum(const Dataset& dataset) {
  DatasetChecksum sum(dataset.graphs.size());
  sum.add(dataset.graphs);
  return sum.finish(dataset);
}

std::string checksum(const std::string& text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

}  // namespace twofold
