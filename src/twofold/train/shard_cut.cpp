#include "twofold/train/shard_cut.h"

#include <algorithm>
#include <numeric>

namespace twofold::train {
namespace {

// `positions`: by falling cost.
void cut_shards(Span<const std::uint64_t> costs, const std::vector<std::uint32_t>& positions, std::size_t first,
                std::size_t count, std::vector<std::vector<std::uint32_t>>& shards) {
  if (count == 1) {
    shards[first] = positions;
    std::sort(shards[first].begin(), shards[first].end());
    return;
  }
  const std::size_t left = count / 2, right = count - left;
  std::vector<std::uint32_t> of_left, of_right;
  double left_cost = 0, right_cost = 0;
  for (const std::uint32_t position : positions) {
    const auto cost = static_cast<double>(costs[position]);
    const bool goes_left = left_cost * static_cast<double>(right) <= right_cost * static_cast<double>(left);
    (goes_left ? of_left : of_right).push_back(position);
    (goes_left ? left_cost : right_cost) += cost;
  }
  cut_shards(costs, of_left, first, left, shards);
  cut_shards(costs, of_right, first + left, right, shards);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> cut_into_shards(Span<const std::uint64_t> costs, std::size_t count) {
  std::vector<std::vector<std::uint32_t>> shards(count);
  std::vector<std::uint32_t> positions(costs.size());
  std::iota(positions.begin(), positions.end(), 0u);
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return costs[a] > costs[b]; });
  cut_shards(costs, positions, 0, count, shards);
  return shards;
}

}  // namespace twofold::train
