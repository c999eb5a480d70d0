#include "twofold/eval/splits.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/record/json_reader.h"

namespace twofold::eval {
namespace {

using nlohmann::ordered_json;

constexpr double kHoldout = 0.1;  // of a fold's other graphs are for validation

// The graphs class by class, each class in random order: whoever then deals them out in turn gives every hand
// as many of a class as any other, or one more.
std::vector<std::uint32_t> shuffled_by_class(const model::LabeledGraphs& graphs, Random random) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> classes;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    classes[graphs.class_of.empty() ? 0 : graphs.class_of[i]].push_back(graphs.graphs[i]);
  std::vector<std::uint32_t> order;
  for (auto& [name, members] : classes) {
    random.shuffle(members);
    order.insert(order.end(), members.begin(), members.end());
  }
  return order;
}

// Fills training and validation. Along the classes every 1/share-th graph, the first included, is held out.
void part(Fold& fold, const model::LabeledGraphs& graphs, double share, Random random) {
  const auto order = shuffled_by_class(graphs, random.stream(0));
  double held = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool hold = share > 0 && std::floor(share * static_cast<double>(i)) + 1 > held;
    if (hold) ++held;
    (hold ? fold.validation : fold.train).push_back(order[i]);
  }
  random.shuffle(fold.train);
  random.shuffle(fold.validation);
}

// The graphs that have known nodes or links, and those of each.
std::map<std::uint32_t, std::vector<std::uint32_t>> items_by_graph(const model::Targets& targets) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_graph;
  for (const std::uint32_t item : targets.known()) of_graph[targets.items()[item].graph].push_back(item);
  return of_graph;
}

// Graph by graph: every 1/share-th, the first included, is held out with all of its nodes or links.
void part_graphs(Fold& fold, std::vector<std::uint32_t> graphs, const model::Targets& targets, double share,
                 Random random) {
  auto of_graph = items_by_graph(targets);
  random.shuffle(graphs);
  double held = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const bool hold = share > 0 && std::floor(share * static_cast<double>(i)) + 1 > held;
    if (hold) ++held;
    std::vector<std::uint32_t>& to = hold ? fold.validation : fold.train;
    const std::vector<std::uint32_t>& items = of_graph.at(graphs[i]);
    to.insert(to.end(), items.begin(), items.end());
  }
}

Splits split_by_graphs(const model::Targets& targets, std::size_t folds, const Random& random) {
  const auto of_graph = items_by_graph(targets);
  std::vector<std::uint32_t> order;
  for (const auto& [graph, items] : of_graph) order.push_back(graph);
  if (order.size() < folds || order.size() < 3)
    throw InputError(fmt::format("{} folds need {} of at least {} graphs, found {}: take fewer (--folds)",
                                 folds, model::to_string(targets.task().about), std::max<std::size_t>(folds, 3),
                                 order.size()));
  random.stream(0).shuffle(order);
  Splits splits(folds);
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::uint32_t> rest;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::vector<std::uint32_t>& items = of_graph.at(order[i]);
      if (i % folds == f)
        splits[f].test.insert(splits[f].test.end(), items.begin(), items.end());
      else
        rest.push_back(order[i]);
    }
    std::sort(splits[f].test.begin(), splits[f].test.end());
    std::sort(rest.begin(), rest.end());
    part_graphs(splits[f], rest, targets, kHoldout, random.stream(f + 1));
  }
  return splits;
}

void require_enough(const model::Targets& targets, int num_folds) {
  if (num_folds < 2) throw UsageError(fmt::format("needed at least 2 folds, found {}", num_folds));
  const auto folds = static_cast<std::size_t>(num_folds);
  const model::LabeledGraphs all = targets.of(targets.known());
  const char* const what = model::to_string(targets.task().about);
  // Below three graphs a fold's training part cannot be parted once more.
  if (all.size() < folds || all.size() < 3)
    throw InputError(fmt::format("{} folds need at least {} {}, found {}", folds,
                                 std::max<std::size_t>(folds, 3), what, all.size()));
  if (!targets.task().is_classification()) return;
  std::vector<std::size_t> counts(targets.task().class_names.size(), 0);
  for (const std::uint32_t c : all.class_of) ++counts[c];
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] < folds)
      throw InputError(
          fmt::format("{} folds need at least {} {} of every class, found {} of class {}: take fewer (--folds)",
                      folds, folds, what, counts[c], in_quotes(targets.task().class_names[c])));
}

// `graphs`: `graph`.
std::string one_of(const std::string& what) { return what.substr(0, what.size() - 1); }

// Reads one list of indices and marks them as seen in the fold.
std::vector<std::uint32_t> read_part(const record::JsonView& part, const char* name,
                                     std::vector<const char*>& seen, const std::string& place,
                                     const std::string& what) {
  std::vector<std::uint32_t> graphs;
  for (const std::int64_t graph : part.integers(0, static_cast<std::int64_t>(seen.size()) - 1)) {
    const char*& where = seen[static_cast<std::size_t>(graph)];
    if (where != nullptr)
      throw InputError(
          fmt::format("{}: {} {} stands in {} and again in {}", place, one_of(what), graph, where, name));
    where = name;
    graphs.push_back(static_cast<std::uint32_t>(graph));
  }
  if (graphs.empty()) part.refuse("at least one " + one_of(what), "none");
  return graphs;
}

}  // namespace

bool operator==(const Fold& a, const Fold& b) {
  return a.train == b.train && a.validation == b.validation && a.test == b.test;
}

Splits make_splits(const model::Targets& targets, int num_folds, std::uint64_t seed) {
  if (num_folds < 2 || !targets.has_several_graphs()) require_enough(targets, num_folds);
  const auto folds = static_cast<std::size_t>(num_folds);
  const Random random(seed);
  if (targets.has_several_graphs()) return split_by_graphs(targets, folds, random);
  const auto order = shuffled_by_class(targets.of(targets.known()), random.stream(0));
  Splits splits(folds);
  for (std::size_t f = 0; f < folds; ++f) {
    Fold& fold = splits[f];
    std::vector<std::uint32_t> rest;
    for (std::size_t i = 0; i < order.size(); ++i) (i % folds == f ? fold.test : rest).push_back(order[i]);
    std::sort(fold.test.begin(), fold.test.end());
    std::sort(rest.begin(), rest.end());
    part(fold, targets.of(rest), kHoldout, random.stream(f + 1));
  }
  return splits;
}

Fold hold_out(const model::Targets& targets, double share, std::uint64_t seed) {
  Fold fold;
  if (targets.has_several_graphs()) {
    std::vector<std::uint32_t> graphs;
    for (const auto& [graph, items] : items_by_graph(targets)) graphs.push_back(graph);
    part_graphs(fold, graphs, targets, share, Random(seed).stream(0));
  } else {
    part(fold, targets.of(targets.known()), share, Random(seed).stream(0));
  }
  // A model trained on all graphs has them in the order of the data.
  std::sort(fold.train.begin(), fold.train.end());
  std::sort(fold.validation.begin(), fold.validation.end());
  return fold;
}

Splits inner_folds(const Fold& fold, const model::Targets& targets, int count, std::uint64_t seed) {
  if (count < 2) throw UsageError(fmt::format("needed at least 2 inner folds, found {}", count));
  std::vector<std::uint32_t> pool = fold.train;
  pool.insert(pool.end(), fold.validation.begin(), fold.validation.end());
  std::sort(pool.begin(), pool.end());
  const model::LabeledGraphs graphs = targets.of(pool);
  const auto parts = static_cast<std::size_t>(count);
  if (graphs.size() < parts)
    throw InputError(fmt::format("{} inner folds need at least {} training and validation graphs, found {}",
                                 parts, parts, graphs.size()));
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t c : graphs.class_of) ++counts[c];
  for (const auto& [c, members] : counts)
    if (members < 2)
      throw InputError(fmt::format("inner folds need at least 2 graphs of every class, found 1 of class {}",
                                   in_quotes(targets.task().class_names[c])));
  const Random random(seed);
  const auto order = shuffled_by_class(graphs, random.stream(0));
  Splits inner(parts);
  for (std::size_t k = 0; k < parts; ++k) {
    for (std::size_t i = 0; i < order.size(); ++i)
      (i % parts == k ? inner[k].validation : inner[k].train).push_back(order[i]);
    random.stream(k + 1).shuffle(inner[k].train);
  }
  return inner;
}

namespace {

// What folds are of, and whether some may have no part.
struct SplitItems {
  std::size_t count = 0;
  std::string what = "graphs";
  bool may_leave_out = false;
};

Splits parse_splits_of(const std::string& text, const SplitItems& items, const std::string& source) {
  const std::size_t num_graphs = items.count;
  const record::Json json = record::parse_json(text, source);
  if (items.may_leave_out && json.is_object()) {
    const record::JsonView object(json, source);
    std::vector<const char*> seen(num_graphs, nullptr);
    Fold fold;
    fold.train = read_part(object.at("train"), "train", seen, source, items.what);
    fold.validation = read_part(object.at("validation"), "validation", seen, source, items.what);
    fold.test = read_part(object.at("test"), "test", seen, source, items.what);
    return {fold};
  }
  if (!json.is_array() || json.empty()) record::JsonView(json, source).refuse("a JSON list of folds");
  const record::JsonView folds(json, source, "folds");
  // A graph takes a digit at least: no memory for more of them than the text can name.
  constexpr std::size_t kMany = 1'000'000;
  if (!items.may_leave_out && num_graphs > kMany && num_graphs > text.size())
    throw InputError(fmt::format(
        "{}: needed all {} graphs of the dataset, found fewer: is it of another dataset?", source, num_graphs));
  Splits splits;
  std::map<std::vector<std::uint32_t>, std::size_t> tested_by;  // fold numbers from 1
  for (std::size_t f = 0; f < json.size(); ++f) {
    const std::string place = fmt::format("{}: fold {}", source, f + 1);
    const record::JsonView object = folds.item(f);
    const record::JsonView selections = object.at("model_selection");
    if (selections.size() != 1)
      selections.refuse("one {\"train\": […], \"validation\": […]}", fmt::format("{}", selections.size()));
    const record::JsonView selection = selections.item(0);
    std::vector<const char*> seen(num_graphs, nullptr);
    Fold fold;
    fold.test = read_part(object.at("test"), "test", seen, place, items.what);
    fold.train = read_part(selection.at("train"), "train", seen, place, items.what);
    fold.validation = read_part(selection.at("validation"), "validation", seen, place, items.what);
    const auto named = fold.test.size() + fold.train.size() + fold.validation.size();
    if (named != num_graphs && !items.may_leave_out)
      throw InputError(
          fmt::format("{}: needed all {} graphs of the dataset, found {}: is it of another dataset?", place,
                      num_graphs, named));
    std::vector<std::uint32_t> tested = fold.test;
    std::sort(tested.begin(), tested.end());
    if (const auto [there, is_new] = tested_by.emplace(std::move(tested), f + 1); !is_new)
      throw InputError(
          fmt::format("{}: tests just the {} that fold {} tests", place, items.what, there->second));
    splits.push_back(std::move(fold));
  }
  return splits;
}

}  // namespace

Splits parse_splits(const std::string& text, std::size_t num_graphs, const std::string& source) {
  return parse_splits_of(text, {num_graphs, "graphs", false}, source);
}

Splits parse_item_splits(const std::string& text, std::size_t num_items, const std::string& source,
                         const std::string& what) {
  return parse_splits_of(text, {num_items, what, true}, source);
}

Splits parse_splits(const std::string& text, const model::Targets& targets, const std::string& source) {
  if (targets.items().empty()) return parse_splits(text, targets.num_items(), source);
  const std::string what = model::to_string(targets.task().about);
  Splits splits = parse_item_splits(text, targets.num_items(), source, what);
  const std::vector<std::uint32_t>& known = targets.known();
  for (const Fold& fold : splits)
    for (const std::vector<std::uint32_t>* part : {&fold.train, &fold.validation, &fold.test})
      for (const std::uint32_t item : *part)
        if (!std::binary_search(known.begin(), known.end(), item))
          throw InputError(fmt::format("{}: needed {} whose target is known, found {}", source, what, item));
  for (std::size_t f = 0; targets.task().is_classification() && f < splits.size(); ++f) {
    std::vector<bool> is_there(targets.task().class_names.size(), false);
    for (const std::uint32_t c : targets.of(splits[f].train).class_of) is_there[c] = true;
    for (std::size_t c = 0; c < is_there.size(); ++c)
      if (!is_there[c])
        throw InputError(fmt::format("{}: {}needed {} of every class to train on, found none of class {}",
                                     source, splits.size() > 1 ? fmt::format("fold {}: ", f + 1) : "", what,
                                     in_quotes(targets.task().class_names[c])));
  }
  return splits;
}

std::string format_splits(const Splits& splits) {
  std::string text = "[";
  for (std::size_t f = 0; f < splits.size(); ++f) {
    const ordered_json fold = {
        {"test", splits[f].test},
        {"model_selection",
         ordered_json::array({{{"train", splits[f].train}, {"validation", splits[f].validation}}})}};
    text += (f == 0 ? "\n" : ",\n") + fold.dump();
  }
  return text + "\n]\n";
}

}  // namespace twofold::eval
