#include "twofold/wl/counterexample.h"

#include <tuple>

#include "twofold/base/error.h"

namespace twofold::wl {

std::optional<Counterexample> find_counterexample(Span<const Graph> graphs, const Classes& classes,
                                                  Span<const std::uint64_t> values) {
  TWOFOLD_CHECK(classes.class_of.size() == graphs.size() && values.size() == graphs.size(),
                "{} graphs, {} classes, {} values", graphs.size(), classes.class_of.size(), values.size());
  const auto size_of = [&](const Counterexample& pair) {
    const Graph& g = graphs[pair.first];
    return std::make_tuple(g.num_nodes(), g.num_edges(), pair.first, pair.second);
  };
  // If a class has two values, some graph differs from its first one. All graphs of a class have one size.
  std::vector<std::size_t> first_of(classes.num_classes, graphs.size());
  std::vector<char> is_broken(classes.num_classes, 0);
  std::optional<Counterexample> smallest;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::uint32_t its_class = classes.class_of[g];
    if (first_of[its_class] == graphs.size()) first_of[its_class] = g;
    const Counterexample pair = {first_of[its_class], g};
    if (is_broken[its_class] != 0 || values[pair.first] == values[g]) continue;
    is_broken[its_class] = 1;
    if (!smallest || size_of(pair) < size_of(*smallest)) smallest = pair;
  }
  return smallest;
}

CountPower count_power(Span<const Graph> graphs, const Classes& classes, std::vector<std::uint64_t> numbers) {
  CountPower power;
  power.against_counting = find_counterexample(graphs, classes, numbers);
  for (std::uint64_t& number : numbers) number = number > 0 ? 1 : 0;
  power.against_detecting = find_counterexample(graphs, classes, numbers);
  return power;
}

CycleKnowledge cycle_knowledge(Span<const Graph> graphs, Span<const graph::CycleCounts> counts,
                               const WlTest& test, const ClassifyOptions& options) {
  TWOFOLD_CHECK(counts.size() == graphs.size());
  CycleKnowledge knowledge;
  if (graphs.empty()) return knowledge;
  const Classes classes = classify(graphs, test, options);
  knowledge.num_classes = classes.num_classes;
  const graph::CycleLengths lengths = counts[0].lengths;
  std::vector<std::uint64_t> numbers(graphs.size());
  for (std::size_t i = 0; i < lengths.count(); ++i) {
    CyclePower of_length;
    for (std::size_t g = 0; g < graphs.size(); ++g) numbers[g] = counts[g].in_graph[i];
    static_cast<CountPower&>(of_length) = count_power(graphs, classes, numbers);
    of_length.length = lengths.shortest + static_cast<int>(i);
    knowledge.lengths.push_back(of_length);
  }
  return knowledge;
}

}  // namespace twofold::wl
