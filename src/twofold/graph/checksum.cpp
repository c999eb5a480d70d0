#include "twofold/graph/checksum.h"

#include <fmt/format.h>

#include <cstring>

namespace twofold {
namespace {

// Two lanes that mix each word with different odd constants (the finalizer of splitmix64); the length of every
// array goes in before it, so that no two arrays can trade values.
class Digest {
 public:
  void add(std::uint64_t word) {
    a_ = mix((a_ ^ word) * 0x9e3779b97f4a7c15u + 1);
    b_ = mix((b_ + word) * 0xd1342543de82ef95u ^ a_);
  }
  void add(double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    add(word);
  }
  void add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  template <typename T>
  void add_integers(Span<const T> values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const T value : values) add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t a_ = 0x243f6a8885a308d3u, b_ = 0x13198a2e03707344u;
};

void add_graph(const Graph& g, Digest& digest) {
  digest.add(static_cast<std::uint64_t>(g.num_nodes()));
  for (Node v = 0; v < g.num_nodes(); ++v) digest.add_integers(g.neighbors(v));
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

}  // namespace

std::string checksum(const Dataset& dataset) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(dataset.graphs.size()));
  for (const Graph& g : dataset.graphs) add_graph(g, digest);
  digest.add(static_cast<std::uint64_t>(dataset.class_names.size()));
  for (const std::string& name : dataset.class_names) digest.add(name);
  digest.add_integers(Span<const std::uint32_t>(dataset.class_of));
  digest.add(static_cast<std::uint64_t>(dataset.num_real_targets));
  for (const double value : dataset.real_targets) digest.add(value);
  return digest.text();
}

std::string checksum(const std::string& text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

}  // namespace twofold
