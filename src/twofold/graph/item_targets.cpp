#include "twofold/graph/item_targets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>

#include "twofold/base/error.h"

namespace twofold {
namespace {

std::optional<std::int64_t> as_integer(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string> sorted_class_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto is_number = [](const std::string& text) { return as_integer(text).has_value(); };
  if (std::all_of(names.begin(), names.end(), is_number))
    std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return *as_integer(a) < *as_integer(b);
    });
  return names;
}

bool ItemTargets::is_known(std::size_t item) const {
  // Where nothing is known, there are no names of classes either.
  return class_of.empty() ? !std::isnan(values[item]) : class_of[item] != kUnknownClass;
}

std::size_t ItemTargets::num_known() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < items.size(); ++i) count += is_known(i) ? 1 : 0;
  return count;
}

void ItemTargets::set(const std::vector<WrittenTarget>& targets) {
  const bool is_real = std::any_of(targets.begin(), targets.end(), [](const WrittenTarget& target) {
    return target.kind == WrittenTarget::kReal;
  });
  if (is_real) {
    for (const WrittenTarget& target : targets)
      values.push_back(target.kind == WrittenTarget::kUnknown ? std::numeric_limits<double>::quiet_NaN()
                                                              : target.real);
    return;
  }
  std::vector<std::string> known;
  for (const WrittenTarget& target : targets)
    if (target.kind != WrittenTarget::kUnknown) known.push_back(target.text);
  class_names = sorted_class_names(std::move(known));
  std::unordered_map<std::string, std::uint32_t> number;
  for (const std::string& c : class_names) number.emplace(c, static_cast<std::uint32_t>(number.size()));
  for (const WrittenTarget& target : targets)
    class_of.push_back(target.kind == WrittenTarget::kUnknown ? kUnknownClass : number.at(target.text));
}

void ItemTargets::check(const std::vector<Graph>& graphs, TargetOf of) const {
  TWOFOLD_CHECK(class_of.empty() || class_of.size() == items.size());
  TWOFOLD_CHECK(values.empty() || values.size() == items.size());
  TWOFOLD_CHECK(items.empty() || class_of.empty() != values.empty());
  for (const std::uint32_t c : class_of) TWOFOLD_CHECK(c == kUnknownClass || c < class_names.size());
  if (of == TargetOf::kNodes) {
    TWOFOLD_CHECK(items.empty() || items == all_nodes(graphs));
    return;
  }
  std::set<std::pair<Node, Node>> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    TWOFOLD_CHECK(i == 0 || items[i - 1].graph <= items[i].graph);
    if (i == 0 || items[i - 1].graph != items[i].graph) seen.clear();
    TWOFOLD_CHECK(items[i].graph < graphs.size() && items[i].u < items[i].v &&
                  items[i].v < graphs[items[i].graph].num_nodes());
    TWOFOLD_CHECK(seen.emplace(items[i].u, items[i].v).second, "the pair {} {} twice", items[i].u, items[i].v);
  }
}

bool operator==(const ItemTargets& a, const ItemTargets& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.items == b.items && a.class_names == b.class_names && a.class_of == b.class_of &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same);
}

std::vector<Item> all_nodes(Span<const Graph> graphs) {
  std::vector<Item> items;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (Node v = 0; v < graphs[g].num_nodes(); ++v) items.push_back({static_cast<std::uint32_t>(g), v, v});
  return items;
}

}  // namespace twofold
