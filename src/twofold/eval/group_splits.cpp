#include "twofold/eval/group_splits.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::eval {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

// Of the given graphs, in random order.
Groups shuffled_groups(Span<const std::uint32_t> group_of, const std::vector<std::uint32_t>& graphs,
                       Random random) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (const std::uint32_t g : graphs) members[group_of[g]].push_back(g);
  Groups groups;
  for (auto& [number, group] : members) groups.push_back(std::move(group));
  random.shuffle(groups);
  return groups;
}

void part_groups(Fold& fold, const Groups& groups, std::size_t num_graphs, double share) {
  const double wanted = share * static_cast<double>(num_graphs);
  for (const std::vector<std::uint32_t>& group : groups) {
    const auto size = static_cast<double>(group.size());
    const bool hold = share > 0 && static_cast<double>(fold.validation.size()) + size <= wanted + 0.5 &&
                      (size <= std::max(1.0, wanted / 2));
    std::vector<std::uint32_t>& part = hold ? fold.validation : fold.train;
    part.insert(part.end(), group.begin(), group.end());
  }
}

std::vector<std::uint32_t> numbers_below(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  return numbers;
}

}  // namespace

Splits make_group_splits(Span<const std::uint32_t> group_of, int num_folds, std::uint64_t seed) {
  constexpr double kValidation = 0.1;
  if (num_folds < 2) throw UsageError(fmt::format("needed at least 2 folds, found {}", num_folds));
  const auto folds = static_cast<std::size_t>(num_folds);
  const Random random(seed);
  const std::vector<std::uint32_t> all = numbers_below(group_of.size());
  Groups groups = shuffled_groups(group_of, all, random.stream(0));
  if (groups.size() < folds + 1)
    throw InputError(fmt::format("{} folds need at least {} groups of graphs, found {}: take fewer (--folds)",
                                 folds, folds + 1, groups.size()));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  Splits splits(folds);
  for (const std::vector<std::uint32_t>& group : groups) {
    auto fewest = std::min_element(splits.begin(), splits.end(),
                                   [](const Fold& a, const Fold& b) { return a.test.size() < b.test.size(); });
    fewest->test.insert(fewest->test.end(), group.begin(), group.end());
  }
  for (std::size_t f = 0; f < folds; ++f) {
    Fold& fold = splits[f];
    std::sort(fold.test.begin(), fold.test.end());
    std::vector<std::uint32_t> rest;
    std::set_difference(all.begin(), all.end(), fold.test.begin(), fold.test.end(), std::back_inserter(rest));
    Random order = random.stream(f + 1);
    part_groups(fold, shuffled_groups(group_of, rest, order.stream(0)), rest.size(), kValidation);
    // Small sets may have no group that is small enough.
    if (fold.validation.empty()) {
      fold.validation.push_back(fold.train.back());
      fold.train.pop_back();
    }
    order.shuffle(fold.train);
    order.shuffle(fold.validation);
  }
  return splits;
}

Fold hold_out_groups(Span<const std::uint32_t> group_of, double share, std::uint64_t seed) {
  Fold fold;
  part_groups(fold, shuffled_groups(group_of, numbers_below(group_of.size()), Random(seed).stream(0)),
              group_of.size(), share);
  std::sort(fold.train.begin(), fold.train.end());
  std::sort(fold.validation.begin(), fold.validation.end());
  return fold;
}

Fold fold_of_parts(const std::vector<std::string>& parts) {
  Fold fold;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<std::uint32_t>& part = parts[i] == "test"         ? fold.test
                                       : parts[i] == "validation" ? fold.validation
                                                                  : fold.train;
    part.push_back(static_cast<std::uint32_t>(i));
  }
  return fold;
}

std::vector<std::uint32_t> groups_of(const std::vector<std::string>& texts) {
  std::unordered_map<std::string, std::uint32_t> number;
  std::vector<std::uint32_t> groups;
  for (const std::string& text : texts)
    groups.push_back(number.emplace(text, static_cast<std::uint32_t>(number.size())).first->second);
  return groups;
}

}  // namespace twofold::eval
