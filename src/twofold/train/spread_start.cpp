#include "twofold/train/spread_start.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

using levels::ColorLevels;
using levels::Row;
using pairs::kNoRow;

// Random channels of which a layer's are chosen, those made for close pairs before each choice, and pairs of
// colors that are looked at.
constexpr std::size_t kCandidates = 32;
constexpr std::size_t kTargeted = 6;
constexpr std::size_t kMostPairs = 1000;
// Rows by which graphs are to differ in the end, and rows by which two colors do.
constexpr std::size_t kEndRows = 24;
constexpr std::size_t kMostRows = 8;
// How far apart a channel made for a pair moves it before the activation, and how much it is scaled for that at
// most: beyond, rounding would be.
constexpr double kSteep = 2;
constexpr double kSteepest = 64;
// Squares of distances: what counts as nothing, and as far enough apart.
constexpr double kNear = 1e-12;
constexpr double kFar = 0.1;
// A channel whose deviation is smaller, relative to its mean, is left as it is: scaling it would make features
// of rounding. Means over all rows of a graph are moved by rounding by some 1e-16.
constexpr double kLeastDeviation = 1e-6;
constexpr double kLeastOfMeans = 1e-10;

using Pairs = std::vector<std::pair<Row, Row>>;

struct Moments {
  double mean = 0;
  double deviation = 0;
  bool varies(double least) const { return deviation > least * std::max(1.0, std::abs(mean)); }
};

// Row r counts counts[r] times.
Moments moments_of(const std::vector<double>& values, const std::vector<double>& counts) {
  double sum = 0, total = 0, squares = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    sum += counts[row] * values[row];
    total += counts[row];
  }
  Moments found;
  if (total == 0) return found;
  found.mean = sum / total;
  for (std::size_t row = 0; row < counts.size(); ++row)
    squares += counts[row] * (values[row] - found.mean) * (values[row] - found.mean);
  found.deviation = std::sqrt(squares / total);
  return found;
}

// Per level and row of it: how many rows of a graph are of that color.
std::vector<std::vector<double>> count_colors(const ColorLevels& colors, std::size_t graph) {
  std::vector<std::vector<double>> counts;
  for (const auto& level : colors.levels) counts.emplace_back(level.num_rows(), 0.0);
  for (std::uint64_t k = colors.pool_offsets[graph]; k < colors.pool_offsets[graph + 1]; ++k)
    counts.back()[colors.pool_rows[k]] += static_cast<double>(colors.pool_counts[k]);
  for (std::size_t t = counts.size() - 1; t > 0; --t)
    for (std::size_t row = 0; row < counts[t].size(); ++row)
      counts[t - 1][colors.levels[t].own[row]] += counts[t][row];
  return counts;
}

bool is_before(levels::RowPair x, levels::RowPair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

// Calls see(position) for each item that row a has more often than row b.
template <typename See>
void for_each_more_often(const ColorLevels::Level& level, Row a, Row b, const See& see) {
  std::uint64_t k = level.offsets[b];
  for (std::uint64_t i = level.offsets[a]; i < level.offsets[a + 1]; ++i) {
    while (k < level.offsets[b + 1] && is_before(level.items[k], level.items[i])) ++k;
    const bool has_both = k < level.offsets[b + 1] && level.items[k] == level.items[i];
    if (!has_both || level.multiplicity[k] < level.multiplicity[i]) see(i);
  }
}

// Colors that come more often in one of two graphs, those first that do so by most. All of these are to be kept
// apart, or the differences of some might make up for those of others.
Pairs differing_pairs(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<Row> rows;
  for (Row row = 0; row < first.size(); ++row)
    if (first[row] != second[row]) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [&](Row x, Row y) {
    return std::abs(first[x] - second[x]) > std::abs(first[y] - second[y]);
  });
  if (rows.size() > kEndRows) rows.resize(kEndRows);
  Pairs pairs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) pairs.emplace_back(rows[k], rows[i]);
  return pairs;
}

// Per level: which colors have to be kept apart so that two graphs differ in the end. From the first level on
// which their numbers of colors differ, some of these; before it, the colors by which later ones were told
// apart.
std::vector<Pairs> pairs_of_levels(const ColorLevels& colors, const std::vector<std::vector<double>>& first,
                                   const std::vector<std::vector<double>>& second) {
  const std::size_t last = colors.levels.size() - 1;
  std::vector<Pairs> pairs(last + 1);
  std::size_t begin = 1;
  while (begin <= last && first[begin] == second[begin]) ++begin;
  if (begin > last) return pairs;
  pairs[begin] = differing_pairs(first[begin], second[begin]);
  for (std::size_t t = begin; t < last; ++t) {
    std::vector<Row> child(colors.levels[t].num_rows(), kNoRow);
    for (Row row = 0; row < colors.levels[t + 1].num_rows(); ++row) child[colors.levels[t + 1].own[row]] = row;
    for (const auto& [a, b] : pairs[t]) pairs[t + 1].emplace_back(child[a], child[b]);
  }
  for (std::size_t t = begin; t > 1; --t) {
    const ColorLevels::Level& level = colors.levels[t];
    std::set<std::pair<Row, Row>> needed;
    const auto need = [&](Row a, Row b) {
      if (a != b && needed.size() < kMostPairs) needed.emplace(std::min(a, b), std::max(a, b));
    };
    for (const auto& [a, b] : pairs[t]) {
      if (level.own[a] != level.own[b]) {
        need(level.own[a], level.own[b]);
        continue;
      }
      std::set<Row> seen;
      const auto see = [&](std::uint64_t i) {
        if (seen.size() >= kMostRows) return;
        seen.insert(level.items[i].a);
        seen.insert(level.items[i].b);
      };
      for_each_more_often(level, a, b, see);
      for_each_more_often(level, b, a, see);
      for (const Row x : seen)
        for (const Row y : seen) need(x, y);
    }
    pairs[t - 1].assign(needed.begin(), needed.end());
  }
  return pairs;
}

// A channel of a layer: its columns of the three blocks, its biases, and what it gives each row.
struct Channel {
  std::vector<double> own, gate, inner;
  double bias = 0, inner_bias = 0;
  std::vector<double> values;
};

// Makes channels of a layer from one level of colors to the next.
class LayerMaker {
 public:
  LayerMaker(const ColorLevels::Level& level, const std::vector<double>& counts,
             const std::vector<double>& rows, std::size_t in)
      : level_(level), counts_(counts), rows_(rows), in_(in) {}

  // A random channel. With a pair of rows, one that is steep where these differ.
  Channel make(Random& random, const std::pair<Row, Row>* apart) const {
    Channel made;
    const double scale = 1 / std::sqrt(static_cast<double>(in_));
    for (std::size_t k = 0; k < in_; ++k) {
      made.own.push_back(scale * random.normal());
      made.gate.push_back(scale * random.normal());
      made.inner.push_back(scale * random.normal());
    }
    const std::vector<double> sums = sum_items(random, apart, made);
    const Moments of_sums = moments_of(sums, counts_);
    if (of_sums.varies(kLeastDeviation))
      for (std::size_t k = 0; k < in_; ++k) {
        made.gate[k] /= of_sums.deviation;
        made.own[k] -= made.gate[k] * of_sums.mean;
      }
    const std::vector<double> own = products(made.own), gate = products(made.gate);
    made.values.resize(sums.size());
    for (std::size_t row = 0; row < sums.size(); ++row)
      made.values[row] = own[level_.own[row]] + gate[level_.own[row]] * sums[row];
    const Moments found = moments_of(made.values, counts_);
    double center = found.mean;
    double gain = found.varies(kLeastDeviation) ? 1 / found.deviation : 1;
    if (apart != nullptr) {
      const double first = made.values[apart->first], second = made.values[apart->second];
      center = (first + second) / 2;
      gain *= std::clamp(kSteep / std::max(gain * std::abs(first - second), kLeastDeviation), 1.0, kSteepest);
    }
    for (std::size_t k = 0; k < in_; ++k) {
      made.own[k] *= gain;
      made.gate[k] *= gain;
    }
    made.bias = -gain * center;
    for (double& value : made.values) value = std::tanh(gain * (value - center));
    return made;
  }

 private:
  std::vector<double> products(const std::vector<double>& column) const {
    std::vector<double> made(rows_.size() / in_, 0);
    for (std::size_t row = 0; row < made.size(); ++row)
      for (std::size_t k = 0; k < in_; ++k) made[row] += rows_[row * in_ + k] * column[k];
    return made;
  }

  // An item that row a has more often than row b, if there is one.
  const levels::RowPair* more_often(Row a, Row b, Random& random) const {
    const levels::RowPair* found = nullptr;
    std::uint64_t seen = 0;
    for_each_more_often(level_, a, b, [&](std::uint64_t i) {
      if (random.below(++seen) == 0) found = &level_.items[i];
    });
    return found;
  }

  // The sums of a channel over the items of each row; its inner weights get a scale and a bias, by which the
  // logistic is steep between two items that one of two rows has more often than the other.
  std::vector<double> sum_items(Random& random, const std::pair<Row, Row>* apart, Channel& made) const {
    std::vector<double> inner = products(made.inner);
    const auto argument = [&](levels::RowPair item) { return inner[item.a] + inner[item.b]; };
    double scale = static_cast<double>(1U << random.below(4));
    double center = 0;
    if (!level_.items.empty()) center = argument(level_.items[random.below(level_.items.size())]);
    if (apart != nullptr) {
      const levels::RowPair* const first = more_often(apart->first, apart->second, random);
      const levels::RowPair* const second = more_often(apart->second, apart->first, random);
      if (first != nullptr && second != nullptr) {
        const double a = argument(*first), b = argument(*second);
        center = (a + b) / 2;
        scale = std::clamp(2 * kSteep / std::max(std::abs(a - b), kLeastDeviation), 1.0, kSteepest);
      }
    }
    for (double& weight : made.inner) weight *= scale;
    for (double& value : inner) value *= scale;
    made.inner_bias = -scale * center;
    std::vector<double> sums(level_.num_rows(), 0);
    for (std::size_t row = 0; row < sums.size(); ++row)
      for (std::uint64_t k = level_.offsets[row]; k < level_.offsets[row + 1]; ++k)
        sums[row] += level_.multiplicity[k] / (1 + std::exp(-(argument(level_.items[k]) + made.inner_bias)));
    return sums;
  }

  const ColorLevels::Level& level_;
  const std::vector<double>& counts_;
  const std::vector<double>& rows_;
  std::size_t in_;
};

// What a channel adds to the distances of pairs.
double apart_by(const Channel& channel, std::pair<Row, Row> pair) {
  const double difference = channel.values[pair.first] - channel.values[pair.second];
  return difference * difference;
}

// The sum of the logarithms of distances, with this channel.
double score_of(const Channel& channel, const Pairs& pairs, const std::vector<double>& distances) {
  double score = 0;
  // The logarithm of products, so that few are taken.
  double product = 1;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    product *= std::min(distances[p] + apart_by(channel, pairs[p]), kFar);
    if (product < 1e-200) {
      score += std::log(product);
      product = 1;
    }
  }
  return score + std::log(product);
}

// One channel after the other: of some random ones, and some that are made for a pair that is still close, that
// which moves most pairs apart.
std::vector<Channel> choose_channels(const LayerMaker& maker, const Pairs& pairs, std::size_t count,
                                     Random& random) {
  std::vector<Channel> pool, chosen;
  for (std::size_t c = 0; c < kCandidates; ++c) pool.push_back(maker.make(random, nullptr));
  std::vector<double> distances(pairs.size(), kNear);
  while (chosen.size() < count) {
    if (!pairs.empty()) {
      std::vector<std::size_t> order(pairs.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      const std::size_t some = std::min(order.size(), kTargeted);
      random.shuffle(order);
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(some), order.end(),
                        [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
      for (std::size_t i = 0; i < kTargeted; ++i) pool.push_back(maker.make(random, &pairs[order[i % some]]));
    }
    std::size_t best = 0;
    double most = 0;
    for (std::size_t c = 0; c < pool.size(); ++c) {
      const double score = score_of(pool[c], pairs, distances);
      if (c == 0 || score > most) {
        best = c;
        most = score;
      }
    }
    for (std::size_t p = 0; p < pairs.size(); ++p) distances[p] += apart_by(pool[best], pairs[p]);
    chosen.push_back(std::move(pool[best]));
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(best));
    if (pool.size() > kCandidates + 2 * kTargeted)
      pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(kCandidates / 2),
                 pool.begin() + static_cast<std::ptrdiff_t>(kCandidates / 2 + kTargeted));
  }
  return chosen;
}

// Evens what the head reads of each graph, the mean of its rows, over the graphs.
double even_head(const ColorLevels& colors, const std::vector<double>& rows, std::size_t width,
                 const model::ParameterLayout& layout, std::vector<double>& parameters) {
  const std::size_t num_graphs = colors.num_graphs();
  const model::Parameter& weight = layout.at("head.0.weight");
  double* const matrix = parameters.data() + weight.offset;
  double* const bias = parameters.data() + layout.at("head.0.bias").offset;
  const std::vector<double> once(num_graphs, 1.0);
  double most = 0;
  for (std::size_t c = 0; c < width; ++c) {
    std::vector<double> pooled(num_graphs, 0);
    for (std::size_t g = 0; g < num_graphs; ++g) {
      double total = 0;
      for (std::uint64_t k = colors.pool_offsets[g]; k < colors.pool_offsets[g + 1]; ++k) {
        const auto count = static_cast<double>(colors.pool_counts[k]);
        total += count;
        pooled[g] += count * rows[colors.pool_rows[k] * width + c];
      }
      if (total > 0) pooled[g] /= total;
    }
    const Moments found = moments_of(pooled, once);
    most = std::max(most, found.deviation / std::max(1.0, std::abs(found.mean)));
    if (!found.varies(kLeastOfMeans)) continue;
    for (std::size_t k = 0; k < weight.columns; ++k) {
      double& entry = matrix[c * weight.columns + k];
      entry /= found.deviation;
      bias[k] -= entry * found.mean;
    }
  }
  return most;
}

}  // namespace

double spread_start(const EncodedDataset& data, const model::ModelOptions& model,
                    const model::ParameterLayout& layout, Random random, std::vector<double>& parameters) {
  TWOFOLD_CHECK(model.model == model::ModelKind::k2WlGnn && model.gate == model::Gate::kLinear && model.bias &&
                !model.jumping_knowledge && model.norm == model::Norm::kNone &&
                model.sum_norm == model::Norm::kNone && model.activation == model::Activation::kTanh &&
                model.inner_activation == model::Activation::kLogistic);
  TWOFOLD_CHECK(model.pooling == model::Pooling::kMean && model.head == model::Head::kMlp &&
                model.readout == model::Readout::kLast && !model.loops_only && !model.pool_by_kind);
  const ColorLevels& colors = data.color_levels(model.layers);
  TWOFOLD_CHECK(colors.num_graphs() == 2);
  std::vector<std::vector<double>> counts = count_colors(colors, 0);
  const std::vector<std::vector<double>> second = count_colors(colors, 1);
  const std::vector<Pairs> pairs_of = pairs_of_levels(colors, counts, second);
  for (std::size_t t = 0; t < counts.size(); ++t)
    for (std::size_t row = 0; row < counts[t].size(); ++row) counts[t][row] += second[t][row];
  std::size_t in = data.columns();
  std::vector<double> rows(colors.initial.size() * in);
  levels::write_initial_features(colors.initial, data.graphs(), data.layout().features, {}, rows.data());
  for (int t = 0; t < model.layers; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const ColorLevels::Level& level = colors.levels[at + 1];
    const Pairs& pairs = pairs_of[at + 1];
    const LayerMaker maker(level, counts[at + 1], rows, in);
    const model::Parameter& weight = layout.at(fmt::format("conv.{}.weight", t));
    const std::size_t out = weight.columns / 3;
    const std::vector<Channel> channels = choose_channels(maker, pairs, out, random);
    double* const matrix = parameters.data() + weight.offset;
    double* const bias = parameters.data() + layout.at(fmt::format("conv.{}.bias", t)).offset;
    double* const inner_bias = parameters.data() + layout.at(fmt::format("conv.{}.inner_bias", t)).offset;
    std::vector<double> next(level.num_rows() * out);
    for (std::size_t c = 0; c < out; ++c) {
      const Channel& channel = channels[c];
      for (std::size_t k = 0; k < in; ++k) {
        matrix[k * weight.columns + c] = channel.own[k];
        matrix[k * weight.columns + out + c] = channel.gate[k];
        matrix[k * weight.columns + 2 * out + c] = channel.inner[k];
      }
      bias[c] = channel.bias;
      inner_bias[c] = channel.inner_bias;
      for (std::size_t row = 0; row < level.num_rows(); ++row) next[row * out + c] = channel.values[row];
    }
    rows = std::move(next);
    in = out;
  }
  return even_head(colors, rows, in, layout, parameters);
}

}  // namespace twofold::train
