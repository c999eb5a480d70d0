#include "twofold/gram/feature_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "twofold/base/digest.h"

namespace twofold::gram {
namespace {

using Hashes = std::vector<std::string>;  // one per color of a round

void add(Digest& digest, const std::string& hash) { digest.add_bytes(hash); }

// What numbers of colors and counts say, without the numbers, which depend on the order of the graphs.
void add_sorted(Digest& digest, std::vector<std::pair<std::string, std::uint32_t>> items) {
  std::sort(items.begin(), items.end());
  digest.add(static_cast<std::uint64_t>(items.size()));
  for (const auto& [hash, count] : items) {
    add(digest, hash);
    digest.add(std::uint64_t{count});
  }
}

Hashes first_round(const WordTable& table) {
  Hashes hashes;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    Digest digest;
    digest.add_integers(table.words(id));
    hashes.push_back(digest.text());
  }
  return hashes;
}

// The color before, then the neighbors' colors; or, behind a number that no color has, pairs of edge label and
// color.
Hashes next_vertices(const WordTable& table, const Hashes& before) {
  Hashes hashes;
  std::vector<std::pair<std::string, std::uint32_t>> items;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    const auto words = table.words(id);
    const bool with_labels = words.size() > 1 && words[1] >= before.size();
    items.clear();
    for (std::size_t i = with_labels ? 2 : 1; i < words.size(); i += with_labels ? 2 : 1)
      items.emplace_back(before[words[with_labels ? i + 1 : i]], with_labels ? words[i] : 0);
    Digest digest;
    digest.add(std::uint64_t{with_labels});
    add(digest, before[words[0]]);
    add_sorted(digest, items);
    hashes.push_back(digest.text());
  }
  return hashes;
}

// The color before, then colors and how often each comes.
Hashes next_sets(const WordTable& table, const Hashes& before) {
  Hashes hashes;
  std::vector<std::pair<std::string, std::uint32_t>> items;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    const auto words = table.words(id);
    items.clear();
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) items.emplace_back(before[words[i]], words[i + 1]);
    Digest digest;
    add(digest, before[words[0]]);
    add_sorted(digest, items);
    hashes.push_back(digest.text());
  }
  return hashes;
}

// The color before, then unordered pairs of colors and how often each comes.
Hashes next_rows(const WordTable& table, const Hashes& before) {
  Hashes hashes;
  std::vector<std::pair<std::string, std::uint32_t>> items;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    const auto words = table.words(id);
    items.clear();
    for (std::size_t i = 1; i + 2 < words.size(); i += 3) {
      const std::string &a = before[words[i]], &b = before[words[i + 1]];
      items.emplace_back(std::min(a, b) + std::max(a, b), words[i + 2]);
    }
    Digest digest;
    add(digest, before[words[0]]);
    add_sorted(digest, items);
    hashes.push_back(digest.text());
  }
  return hashes;
}

// Two colors of vertices and their distance.
Hashes paths(const WordTable& table, const Hashes& vertices) {
  Hashes hashes;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    const auto words = table.words(id);
    Digest digest;
    add_sorted(digest, {{vertices[words[0]], 0}, {vertices[words[1]], 0}});
    digest.add(std::uint64_t{words[2]});
    hashes.push_back(digest.text());
  }
  return hashes;
}

}  // namespace

std::vector<std::string> feature_names(const Vocabulary& vocabulary) {
  const std::size_t rounds = vocabulary.num_rounds();
  const std::vector<const WordTable*> tables = vocabulary.tables();
  const KernelKind kind = vocabulary.kernel().kind;
  std::vector<std::string> names;
  Hashes before;
  for (std::size_t t = 0; t < rounds; ++t) {
    Hashes features;
    switch (kind) {
      case KernelKind::kWlSubtree:
      case KernelKind::kWlShortestPath:
        before = t == 0 ? first_round(*tables[0]) : next_vertices(*tables[t], before);
        features = kind == KernelKind::kWlSubtree ? before : paths(*tables[rounds + t], before);
        break;
      case KernelKind::kLocalSets:
      case KernelKind::kGlobalSets:
        before = t == 0 ? first_round(*tables[rounds]) : next_sets(*tables[rounds + t], before);
        features = before;
        break;
      case KernelKind::kRows:
        before = t == 0 ? first_round(*tables[rounds]) : next_rows(*tables[rounds + t], before);
        features = before;
        break;
    }
    for (std::uint32_t f = 0; f < features.size(); ++f) {
      names.push_back(fmt::format("{}/{}/{}", kernel_name(kind), t, features[f].substr(0, 16)));
      if (vocabulary.weight(t, f) == 2) names.push_back(names.back() + "~");
    }
  }
  return names;
}

}  // namespace twofold::gram
