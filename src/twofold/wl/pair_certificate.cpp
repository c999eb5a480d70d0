#include "twofold/wl/pair_certificate.h"

#include <algorithm>
#include <map>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/marked_copies.h"
#include "twofold/wl/symmetry.h"
#include "twofold/wl/weaker_tests.h"

namespace twofold::wl {
namespace {

using Verdict = PairCertificate::Verdict;

std::vector<Node> nodes_of_object(const Graph& graph, const WlTest& test, std::size_t object) {
  switch (test.kind) {
    case Kind::kVertices:
      return {static_cast<Node>(object)};
    case Kind::kTuples: {
      std::vector<Node> tuple(static_cast<std::size_t>(test.k));
      for (std::size_t j = tuple.size(); j-- > 0; object /= graph.num_nodes())
        tuple[j] = static_cast<Node>(object % graph.num_nodes());
      return tuple;
    }
    case Kind::kRows:
    case Kind::kEdges: {
      const Edge row = list_rows(graph, test.kind == Kind::kRows ? test.radius : graph::PowerRadius(1))[object];
      return {row.u, row.v};
    }
  }
  return {};
}

PairCertificate certificate_of(const WlTest& test, std::size_t rounds, std::size_t graph) {
  PairCertificate found;
  found.verdict = Verdict::kDistinguished;
  found.test = test;
  found.rounds = rounds;
  found.graph = static_cast<int>(graph);
  return found;
}

// The first round whose colors come unequally often, if there is one.
std::optional<PairCertificate> find_round(Span<const Graph> two, const WlTest& test,
                                          const ClassifyOptions& options) {
  std::optional<PairCertificate> found;
  RefineOptions refine_options;
  refine_options.threads = options.threads;
  refine_options.max_memory = options.max_memory;
  refine_options.hash_mask = options.hash_mask;
  refine_options.after_round = [&](const Coloring& coloring) {
    std::vector<std::array<std::uint64_t, 2>> counts(coloring.num_colors, {0, 0});
    for (std::size_t i = 0; i < coloring.colors.size(); ++i)
      ++counts[coloring.colors[i]][i >= coloring.offsets[1]];
    for (std::size_t i = 0; i < coloring.colors.size(); ++i) {
      const auto& count = counts[coloring.colors[i]];
      if (count[0] == count[1]) continue;
      const std::size_t graph = i >= coloring.offsets[1] ? 1 : 0;
      found = certificate_of(test, coloring.num_rounds, graph);
      found->nodes = nodes_of_object(two[graph], test, i - coloring.offsets[graph]);
      found->counts = count;
      return false;
    }
    return true;
  };
  refine(two, test, refine_options);
  return found;
}

// The marks that come unequally often, if there are such.
std::optional<PairCertificate> find_marks(Span<const Graph> two, const WlTest& test,
                                          const ClassifyOptions& options) {
  const std::vector<MarkedCopy> copies = list_copies(two, test, options);
  const std::vector<CopyPicture> pictures = take_pictures(two, copies, test, options);
  const Classes classes = classify_copies(two, copies, pictures, test, options);
  std::map<std::uint32_t, std::array<std::uint64_t, 2>> counts;
  for (std::size_t i = 0; i < copies.size(); ++i)
    counts[classes.class_of[i]][copies[i].graph] += copies[i].marks.size;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const auto& count = counts[classes.class_of[i]];
    if (count[0] == count[1]) continue;
    // Copies that are equal after the round that splits nothing any more are equal for good.
    PairCertificate found = certificate_of(test, pictures[i].num_rounds, copies[i].graph);
    found.nodes = copies[i].marks.nodes;
    found.counts = count;
    return found;
  }
  return std::nullopt;
}

}  // namespace

PairCertificate certify_pair(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options) {
  TWOFOLD_CHECK(two.size() == 2);
  // Asks for memory, and names what does not fit.
  if (!distinguish_pairs(two, test, options).front()) {
    PairCertificate equal;
    if (auto image = find_isomorphism(two[0], two[1], test.edge_labels)) {
      equal.verdict = Verdict::kIsomorphic;
      equal.image = std::move(*image);
    }
    return equal;
  }
  ClassifyOptions quietly = options;
  quietly.progress = nullptr;
  std::vector<WlTest> tests = weaker_tests(test);
  tests.push_back(test);
  const std::size_t fewest = std::min(two[0].num_nodes(), two[1].num_nodes());
  for (const WlTest& one : tests) {
    if (static_cast<std::size_t>(one.marks) > fewest) continue;
    const auto found = one.marks > 0 ? find_marks(two, one, quietly) : find_round(two, one, quietly);
    if (found) return *found;
  }
  // Nothing is left that could have told them apart.
  TWOFOLD_CHECK(false, "{} distinguishes graphs in which nothing differs", describe(test));
  return {};
}

}  // namespace twofold::wl
