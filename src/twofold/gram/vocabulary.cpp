#include "twofold/gram/vocabulary.h"

#include <algorithm>
#include <map>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/gram/pair_colors.h"
#include "twofold/gram/path_counts.h"
#include "twofold/gram/row_colors.h"
#include "twofold/graph/dataset.h"

namespace twofold::gram {

using Words = std::vector<std::uint32_t>;

Vocabulary::Vocabulary(const Kernel& kernel) : kernel_(kernel), vertices_(kernel) {
  require_valid(kernel);
  pairs_.resize(num_rounds());
}

// The colors of the pairs, a vector a round; private ones are those that intern does not know.
template <typename Intern>
std::vector<std::vector<std::uint32_t>> Vocabulary::color_pairs(const PairColors& pairs, const Intern& intern,
                                                                GraphFeatures* features) const {
  std::vector<std::vector<std::uint32_t>> rounds;
  Words words;
  for (std::size_t t = 0; t < num_rounds(); ++t) {
    const PairColors::Groups groups = t == 0 ? pairs.start() : pairs.refine(rounds.back(), 0);
    std::vector<std::uint32_t> name(groups.places.size());
    for (std::uint32_t id = 0; id < name.size(); ++id) {
      if (t == 0)
        pairs.start_words(groups.places[id], words);
      else
        pairs.words(rounds.back(), groups.places[id], words);
      name[id] = intern(t, words);
      if (name[id] == kNoColor)
        name[id] = kPrivate | id;  // words with such a color are not known either
      else if (features != nullptr)
        features->rounds[t].push_back({name[id], groups.counts[id]});
    }
    rounds.push_back(groups.group_of);
    for (std::uint32_t& color : rounds.back()) color = color == kNoColor ? 0 : name[color];
  }
  return rounds;
}

template <typename Intern>
GraphFeatures Vocabulary::count(const Graph& g, const std::vector<std::uint32_t>& colors,
                                const Intern& intern) const {
  GraphFeatures features;
  features.rounds.resize(num_rounds());
  if (on_vertices()) {
    const std::size_t n = g.num_nodes();
    for (std::size_t t = 0; t < num_rounds(); ++t) {
      std::map<std::uint32_t, std::uint64_t> counts;
      for (std::size_t v = 0; v < n; ++v)
        if (colors[t * n + v] != kNoColor) ++counts[colors[t * n + v]];
      for (const auto& [feature, count] : counts) features.rounds[t].push_back({feature, count});
    }
  } else if (on_paths()) {
    count_paths(twin_graph(g, kernel_.edge_labels), colors, num_rounds(),
                [&](std::size_t t, const PathCount& path) {
                  const std::uint32_t feature = intern(t, {path.a, path.b, path.distance});
                  if (feature != kNoColor) features.rounds[t].push_back({feature, path.count});
                });
  } else {
    color_pairs(*make_pair_colors(g, kernel_), intern, &features);
  }
  return features;
}

GraphFeatures Vocabulary::add(const Graph& g, std::uint64_t max_memory) {
  require_undirected({&g, 1}, kernel_name(kernel_.kind));
  std::vector<std::uint32_t> colors;
  if (on_vertices() || on_paths()) colors = vertices_.add(g);
  GraphFeatures features =
      count(g, colors, [&](std::size_t t, const Words& words) { return pairs_[t].find_or_add(words); });
  require_memory(fmt::format("the vocabulary of {}", describe(kernel_)), bytes(),
                 max_memory > 0 ? max_memory : whole_memory_limit(0));
  return features;
}

GraphFeatures Vocabulary::find(const Graph& g) const {
  require_undirected({&g, 1}, kernel_name(kernel_.kind));
  std::vector<std::uint32_t> colors;
  if (on_vertices() || on_paths()) colors = vertices_.find(g);
  return count(g, colors, [&](std::size_t t, const Words& words) { return pairs_[t].find(words); });
}

std::vector<ObjectFeatures> Vocabulary::objects(const Graph& g) const {
  const auto n = static_cast<Node>(g.num_nodes());
  std::vector<ObjectFeatures> objects;
  if (on_vertices()) {
    const auto colors = vertices_.find(g);
    for (Node v = 0; v < n; ++v) {
      objects.push_back({v, v, {}, std::vector<std::uint32_t>(num_rounds(), 1)});
      for (std::size_t t = 0; t < num_rounds(); ++t) objects.back().features.push_back(colors[t * n + v]);
    }
    return objects;
  }
  if (on_paths()) {
    const auto colors = vertices_.find(g);
    const TwinGraph twins = twin_graph(g, kernel_.edge_labels);
    std::vector<std::uint32_t> distances;
    for (Node u = 0; u < n; ++u) {
      distances_from(twins, twins.class_of[u], distances);
      for (Node v = u + 1; v < n; ++v) {
        const std::uint32_t distance = distances[twins.class_of[v]];
        if (distance == kUnreachable) continue;
        objects.push_back({u, v, {}, {}});
        for (std::size_t t = 0; t < num_rounds(); ++t) {
          const std::uint32_t a = colors[t * n + u], b = colors[t * n + v];
          const bool is_known = a != kNoColor && b != kNoColor;
          objects.back().features.push_back(
              is_known ? pairs_[t].find(Words{std::min(a, b), std::max(a, b), distance}) : kNoColor);
          objects.back().times.push_back(a == b ? 2 : 1);
        }
      }
    }
    return objects;
  }
  const auto pairs = make_pair_colors(g, kernel_);
  const auto rounds = color_pairs(
      *pairs, [&](std::size_t t, const Words& words) { return pairs_[t].find(words); }, nullptr);
  for (Node u = 0; u < n; ++u)
    for (Node v = u; v < n; ++v) {
      const std::size_t place = pairs->place(u, v);
      if (place == kNoPlace) continue;
      objects.push_back({u, v, {}, std::vector<std::uint32_t>(num_rounds(), 1)});
      for (const auto& colors : rounds) {
        const std::uint32_t color = colors[place];
        objects.back().features.push_back((color & kPrivate) != 0 ? kNoColor : color);
      }
    }
  return objects;
}

std::size_t Vocabulary::num_features(std::size_t round) const {
  return on_vertices() ? vertices_.round(static_cast<int>(round)).size() : pairs_[round].size();
}

std::vector<Label> Vocabulary::node_labels() const {
  std::set<Label> labels;
  const bool has_vertices = on_vertices() || on_paths();
  const WordTable& table = has_vertices ? vertices_.round(0) : pairs_[0];
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    if (kernel_.kind == KernelKind::kRows) {
      if (const std::uint32_t* label = RowColors::label_in(table.words(id)))
        labels.insert(static_cast<Label>(*label));
      continue;
    }
    // A vertex: its label, if it has one. A set: two labels, if there are any, before one or two other words.
    const auto words = table.words(id);
    const std::size_t count = has_vertices ? words.size() : words.size() > 2 ? 2 : 0;
    for (std::size_t i = 0; i < count; ++i) labels.insert(static_cast<Label>(words[i]));
  }
  return {labels.begin(), labels.end()};
}

std::uint32_t Vocabulary::weight(std::size_t round, std::uint32_t feature) const {
  if (!on_paths()) return 1;
  const auto words = pairs_[round].words(feature);
  return words[0] == words[1] ? 1 : 2;
}

std::uint64_t Vocabulary::bytes() const {
  std::uint64_t sum = vertices_.bytes();
  for (const WordTable& table : pairs_) sum += table.bytes();
  return sum;
}

std::vector<const WordTable*> Vocabulary::tables() const {
  std::vector<const WordTable*> tables;
  for (int t = 0; t < vertices_.num_rounds(); ++t) tables.push_back(&vertices_.round(t));
  for (const WordTable& table : pairs_) tables.push_back(&table);
  return tables;
}

Vocabulary Vocabulary::from_tables(const Kernel& kernel, std::vector<WordTable> tables,
                                   const std::string& source) {
  Vocabulary vocabulary(kernel);
  const std::size_t rounds = vocabulary.num_rounds();
  TWOFOLD_CHECK(tables.size() == 2 * rounds);
  std::vector<WordTable> vertices;
  for (std::size_t t = 0; t < rounds; ++t) vertices.push_back(std::move(tables[t]));
  vocabulary.vertices_ = VertexColors::from_tables(kernel, std::move(vertices), source);
  for (std::size_t t = 0; t < rounds; ++t) {
    const WordTable& table = tables[rounds + t];
    // Features of paths are looked at again (weight); those of other pairs are only compared.
    for (std::uint32_t id = 0; id < table.size(); ++id)
      if (vocabulary.on_paths() ? table.words(id).size() != 3 : table.words(id).size() == 0)
        throw_input_error(source, 0, fmt::format("features of round {}", t),
                          fmt::format("another content in {}", id));
    vocabulary.pairs_[t] = std::move(tables[rounds + t]);
  }
  return vocabulary;
}

FeatureCounts join_features(const Vocabulary& vocabulary, const std::vector<GraphFeatures>& graphs,
                            std::size_t round) {
  FeatureCounts part;
  part.num_features = vocabulary.num_features(round);
  for (const GraphFeatures& graph : graphs) {
    for (const GraphFeatures::Count& entry : graph.rounds[round]) {
      part.features.push_back(entry.feature);
      part.counts.push_back(entry.count);
    }
    part.offsets.push_back(part.features.size());
  }
  if (vocabulary.kernel().kind == KernelKind::kWlShortestPath)
    for (std::uint32_t f = 0; f < part.num_features; ++f)
      part.weights.push_back(static_cast<std::uint8_t>(vocabulary.weight(round, f)));
  return part;
}

}  // namespace twofold::gram
