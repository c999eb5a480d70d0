#include "twofold/wl/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>

#include "twofold/wl/marked_copies.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {

namespace {

std::string fingerprint_of(const Graph& graph, const WlTest& test, std::vector<CopyPicture> pictures) {
  std::sort(pictures.begin(), pictures.end());
  std::uint64_t first = mix(graph.num_nodes(), graph.num_edges());
  std::uint64_t second = mix(first);
  for (const CopyPicture& p : pictures) {
    for (const std::uint64_t word :
         {p.num_rounds, p.picture.num_objects, p.picture.num_colors, p.picture.histogram[0]})
      first = mix(first, word);
    second = mix(second ^ p.picture.num_colors, p.picture.histogram[1]);
  }
  const std::string radius = radius_name(test);
  return fmt::format("twofold-wl-1:{}/{}/{}:{:016x}{:016x}", test_name(test), radius.empty() ? "-" : radius,
                     test.marks, first, second);
}

}  // namespace

std::string fingerprint(const Graph& graph, const WlTest& test, const ClassifyOptions& options) {
  return fingerprints(Span<const Graph>(&graph, 1), test, options).front();
}

std::vector<std::string> fingerprints(Span<const Graph> graphs, const WlTest& test,
                                      const ClassifyOptions& options) {
  const auto pictures = picture_graphs(graphs, test, options);
  std::vector<std::string> result;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    result.push_back(fingerprint_of(graphs[g], test, pictures[g]));
  return result;
}

}  // namespace twofold::wl
