#include <atomic>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/io/json_line.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/lines_frame.h"
#include "twofold/io/node_feature_rows.h"
#include "twofold/io/text_chunks.h"

namespace twofold::io {
namespace {

// Classes are told apart over all lines.
void read_items(const std::vector<JsonLine>& lines, Dataset& dataset, const std::string& source) {
  std::vector<WrittenTarget> nodes, pairs;
  for (std::size_t g = 0; g < lines.size(); ++g) {
    nodes.insert(nodes.end(), lines[g].node_targets.begin(), lines[g].node_targets.end());
    pairs.insert(pairs.end(), lines[g].pair_targets.begin(), lines[g].pair_targets.end());
    for (const Edge pair : lines[g].pairs)
      dataset.pair_targets.items.push_back({static_cast<std::uint32_t>(g), pair.u, pair.v});
  }
  const auto require_one_kind = [&](const std::vector<WrittenTarget>& targets, const char* key) {
    bool texts = false, reals = false;
    for (const WrittenTarget& target : targets) {
      texts = texts || target.kind == WrittenTarget::kText;
      reals = reals || target.kind == WrittenTarget::kReal;
    }
    if (texts && reals)
      throw_input_error(source, 0, fmt::format("classes or real numbers as \"{}\"", key), "both");
  };
  require_one_kind(nodes, "node_targets");
  require_one_kind(pairs, "pair_targets");
  if (!lines.empty() && lines[0].has_node_targets) {
    dataset.node_targets.items = all_nodes(dataset.graphs);
    dataset.node_targets.set(nodes);
  }
  dataset.pair_targets.set(pairs);
}

void set_features(std::vector<JsonLine>& lines, std::vector<Graph>& graphs) {
  if (lines.empty() || !lines[0].has_features) return;
  std::vector<std::vector<std::vector<NodeFeatureTable::Entry>>> rows;
  for (JsonLine& line : lines) rows.push_back(std::move(line.features));
  give_features(std::move(rows), graphs);
}

}  // namespace

Dataset read_json_lines(std::string_view text, const std::string& source, int threads, const ReadLimits& limits,
                        std::string* dropped) {
  const auto texts = lines_of(text);
  std::vector<JsonLine> lines(texts.size());
  without_conflicts(dropped, [&](const EdgeData& kept) {
    std::atomic<std::int64_t> nodes_left{static_cast<std::int64_t>(limits.max_nodes)};
    parallel_for(lines.size(), threads,
                 [&](std::size_t i) { lines[i] = read_json_line(texts[i], source, i + 1, nodes_left, kept); });
  });
  LinesFrame frame(source);
  for (const JsonLine& line : lines) frame.add(line);
  frame.finish();
  Dataset dataset = frame.dataset_of(lines);
  set_features(lines, dataset.graphs);
  read_items(lines, dataset, source);
  return dataset;
}

}  // namespace twofold::io
