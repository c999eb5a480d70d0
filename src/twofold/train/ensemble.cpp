#include "twofold/train/ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::train {
namespace {

constexpr std::uint64_t kMemberStream = 3;  // 0 to 2 are those of one training (trainer.cpp)

// The members' scores of graph g, added up.
std::vector<double> mean_scores(const Objective& task, Span<const std::vector<float>> members, std::size_t g) {
  std::vector<double> mean;
  for (const std::vector<float>& outputs : members) {
    const std::vector<double> scores =
        predicted_scores(task, {outputs.data() + g * task.outputs, task.outputs});
    mean.resize(scores.size(), 0);
    for (std::size_t c = 0; c < scores.size(); ++c) mean[c] += scores[c];
  }
  for (double& value : mean) value /= static_cast<double>(members.size());
  return mean;
}

// A probability of 0 has no logarithm.
double log_of(double probability) {
  return std::log(std::max(probability, static_cast<double>(std::numeric_limits<float>::min())));
}

}  // namespace

std::uint64_t member_seed(std::uint64_t seed, std::size_t member) {
  return member == 0 ? seed : Random(seed).stream(kMemberStream).stream(member).bits();
}

std::vector<float> joined_outputs(const Objective& task, Span<const std::vector<float>> members) {
  TWOFOLD_CHECK(!members.empty());
  if (members.size() == 1) return members[0];
  std::vector<float> joined(members[0].size());
  if (task.is_regression()) {
    for (std::size_t i = 0; i < joined.size(); ++i) {
      double sum = 0;
      for (const std::vector<float>& outputs : members) sum += outputs[i];
      joined[i] = static_cast<float>(sum / static_cast<double>(members.size()));
    }
    return joined;
  }
  for (std::size_t g = 0; g < joined.size() / task.outputs; ++g) {
    const std::vector<double> mean = mean_scores(task, members, g);
    if (task.is_yes_no())
      for (std::size_t c = 0; c < task.outputs; ++c)
        joined[g * task.outputs + c] = static_cast<float>(log_of(mean[c]) - log_of(1 - mean[c]));
    else if (task.kind == model::TaskKind::kBinary)
      joined[g] = static_cast<float>(log_of(mean[1]) - log_of(mean[0]));
    else
      for (std::size_t c = 0; c < task.outputs; ++c)
        joined[g * task.outputs + c] = static_cast<float>(log_of(mean[c]));
  }
  return joined;
}

std::vector<double> member_spreads(const Objective& task, Span<const std::vector<float>> members) {
  TWOFOLD_CHECK(!members.empty());
  const std::vector<float> joined = joined_outputs(task, members);
  std::vector<double> spreads;
  for (std::size_t g = 0; g < joined.size() / task.outputs; ++g) {
    const std::vector<double> mean = mean_scores(task, members, g);
    std::vector<double> squares(mean.size(), 0);
    for (const std::vector<float>& outputs : members) {
      const std::vector<double> scores =
          predicted_scores(task, {outputs.data() + g * task.outputs, task.outputs});
      for (std::size_t c = 0; c < scores.size(); ++c)
        squares[c] += (scores[c] - mean[c]) * (scores[c] - mean[c]);
    }
    for (double& square : squares) square = std::sqrt(square / static_cast<double>(members.size()));
    if (task.has_values())
      spreads.insert(spreads.end(), squares.begin(), squares.end());
    else
      spreads.push_back(squares[predicted_class(task, {joined.data() + g * task.outputs, task.outputs})]);
  }
  return spreads;
}

}  // namespace twofold::train
