#include "twofold/train/pair_separation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/net_shape.h"
#include "twofold/train/spread_start.h"

namespace twofold::train {
namespace {

// Graphs go through a network in double numbers so many at a time.
constexpr std::size_t kBatch = 20;
// What the same sum may differ by, added in another order.
constexpr double kRounding = 1e-12;
// Adam's; gradients may be small, and are still to count.
constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-30;
// What the learning rate of careful trainings is multiplied by.
constexpr double kCarefulRate = 0.1;

EncodeLimits one_thread(const SeparationOptions& options) {
  EncodeLimits limits;
  limits.threads = 1;
  limits.max_memory = options.max_memory;
  return limits;
}

// A network in double numbers on some graphs, which must outlive it: row by row, or a color at a time.
class DoubleNet {
 public:
  enum class By { kRows, kColors };
  DoubleNet(const EncodedDataset& data, const model::ModelOptions& model, By by)
      : data_(data),
        places_(model::parameter_layout(model, data_.columns())),
        net_(net_shape(model, data_.columns(), places_, {})),
        batches_(by == By::kRows ? make_row_batches<double>(data_, model, net_.shape(), {})
                                 : make_color_batches<double>(data_, model, net_.shape(), {})) {}

  const EncodedDataset& data() const { return data_; }
  const model::ParameterLayout& layout() const { return places_; }

  void outputs(const Batch& batch, const std::vector<double>& parameters, double* outputs) {
    net_.outputs(batches_->make(batch), parameters.data(), {outputs});
  }
  void gradient(const Batch& batch, const std::vector<double>& parameters, const double* doutputs,
                std::vector<double>& gradient) {
    gradient.resize(places_.size);
    net_.gradient(batches_->make(batch), parameters.data(), doutputs, gradient.data(), nullptr);
  }

 private:
  const EncodedDataset& data_;
  model::ParameterLayout places_;
  compute::Net<double> net_;
  std::unique_ptr<BatchMaker<double>> batches_;
};

std::vector<double> outputs_in_double(Span<const Graph> graphs, const SeparationOptions& options,
                                      const InputLayout& layout, const std::vector<double>& parameters) {
  std::vector<double> outputs(graphs.size());
  for (std::size_t begin = 0; begin < graphs.size(); begin += kBatch) {
    const Span<const Graph> some(graphs.data() + begin, std::min(kBatch, graphs.size() - begin));
    const EncodedDataset data(some, options.model, layout, one_thread(options));
    Batch batch;
    batch.graphs.resize(some.size());
    std::iota(batch.graphs.begin(), batch.graphs.end(), 0u);
    DoubleNet(data, options.model, DoubleNet::By::kRows).outputs(batch, parameters, outputs.data() + begin);
  }
  return outputs;
}

Graph random_relabelling(const Graph& g, Random random) {
  std::vector<Node> names(g.num_nodes());
  std::iota(names.begin(), names.end(), Node{0});
  random.shuffle(names);
  return relabeled(g, names);
}

// The outputs of fresh copies.
std::vector<double> copy_outputs(const Graph& g, const Random& random, const SeparationOptions& options,
                                 const InputLayout& layout, const std::vector<double>& parameters) {
  std::vector<Graph> copies;
  for (int i = 0; i < options.copies; ++i)
    copies.push_back(random_relabelling(g, random.stream(static_cast<std::uint64_t>(i))));
  return outputs_in_double(copies, options, layout, parameters);
}

struct Comparison {
  double difference = 0;
  double statistic = 0;
};

Comparison compare(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return {std::accumulate(differences.begin(), differences.end(), 0.0) / static_cast<double>(a.size()),
          paired_statistic(differences)};
}

// A loop has a triple a node around it, more than any other row at that node.
std::size_t most_triples(const EncodedDataset& data) {
  std::size_t most = 1;
  for (const std::uint32_t g : {0u, 1u}) {
    const PairSlice slice = data.pair_sets(std::vector<std::uint32_t>{g});
    const graph::Balls& balls = slice.sets[0]->balls;
    for (std::size_t v = 0; v < balls.num_nodes(); ++v)
      most = std::max<std::size_t>(most, balls.offsets[v + 1] - balls.offsets[v]);
  }
  return most;
}

void scale_start(const model::ParameterLayout& layout, const model::ModelOptions& model, double by,
                 double inner_by, std::vector<double>& parameters) {
  for (int t = 0; t < model.layers; ++t) {
    const model::Parameter& weight = layout.at(fmt::format("conv.{}.weight", t));
    const std::size_t out = weight.columns / 3;
    for (std::size_t row = 0; row < weight.rows; ++row)
      for (std::size_t c = out; c < 3 * out; ++c) {
        parameters[weight.offset + row * weight.columns + c] *= c < 2 * out ? by : inner_by;
      }
  }
}

// The first trainings begin as usual. What then is left gets the best of several starts: that whose outputs
// differ most; of a 2-wl-gnn, of starts that keep colors apart, that by which what the head reads differs most.
std::vector<double> make_start(DoubleNet& net, const Batch& both, const SeparationOptions& options, int number,
                               std::uint64_t seed) {
  const bool is_2wl = options.model.model == model::ModelKind::k2WlGnn;
  if (number < options.plain_tries) {
    std::vector<double> parameters = model::initial_parameters(net.layout(), seed);
    if (is_2wl && options.sum_gain > 0)
      scale_start(net.layout(), options.model, options.sum_gain / static_cast<double>(most_triples(net.data())),
                  options.inner_gain, parameters);
    return parameters;
  }
  const Random random(seed);
  std::vector<double> best;
  double most = -1;
  for (int i = 0; i < std::max(1, options.starts); ++i) {
    Random of_start = random.stream(static_cast<std::uint64_t>(i));
    std::vector<double> parameters = model::initial_parameters(net.layout(), of_start.bits());
    double difference = 0;
    if (is_2wl) {
      difference = spread_start(net.data(), options.model, net.layout(), of_start.stream(1), parameters);
    } else {
      double outputs[2];
      net.outputs(both, parameters, outputs);
      difference =
          std::abs(outputs[1] - outputs[0]) / std::max({1.0, std::abs(outputs[0]), std::abs(outputs[1])});
    }
    if (best.empty() || difference > most) {
      most = difference;
      best = std::move(parameters);
    }
  }
  return best;
}

std::vector<double> train_on_pair(const EncodedDataset& pair, const SeparationOptions& options, int number,
                                  std::uint64_t seed) {
  DoubleNet net(pair, options.model, DoubleNet::By::kColors);
  const model::ParameterLayout& places = net.layout();
  Batch both;
  both.graphs = {0, 1};
  std::vector<double> parameters = make_start(net, both, options, number, seed);
  // Later trainings are careful, as chosen starts hold large numbers that cancel: a step that makes it worse is
  // undone, and the next ones are half as long. Their starts differ already, and are driven on that way.
  const bool is_careful = number >= options.plain_tries;
  std::vector<double> gradient, first(places.size, 0), second(places.size, 0), best;
  double learning_rate = is_careful ? kCarefulRate * options.learning_rate : options.learning_rate;
  double sign = 1, most = 0;
  int moments = 0;
  for (int step = 1; step <= options.steps; ++step) {
    double outputs[2];
    net.outputs(both, parameters, outputs);
    if (step == 1 && is_careful && outputs[1] < outputs[0]) sign = -1;
    const double difference = sign * (outputs[1] - outputs[0]);
    const double found = std::abs(difference);
    if (is_careful ? difference >= options.careful_difference : found >= options.good_difference) break;
    // Rounding is nothing to learn from.
    const double size = std::max(std::abs(outputs[0]), std::abs(outputs[1]));
    if (step == 1 && found <= kRounding * std::max(1.0, size)) break;
    if (is_careful) {
      if (best.empty() || difference > most) {
        most = difference;
        best = parameters;
      } else {
        parameters = best;
        learning_rate /= 2;
        moments = 0;
        std::fill(first.begin(), first.end(), 0.0);
        std::fill(second.begin(), second.end(), 0.0);
        net.outputs(both, parameters, outputs);
      }
    }
    // Of log(1 + exp(-difference)).
    const double slope = -sign / (1 + std::exp(sign * (outputs[1] - outputs[0])));
    const double doutputs[2] = {-slope, slope};
    net.gradient(both, parameters, doutputs, gradient);
    ++moments;
    const double rate =
        learning_rate * std::sqrt(1 - std::pow(kBeta2, moments)) / (1 - std::pow(kBeta1, moments));
    for (std::size_t i = 0; i < places.size; ++i) {
      first[i] = kBeta1 * first[i] + (1 - kBeta1) * gradient[i];
      second[i] = kBeta2 * second[i] + (1 - kBeta2) * gradient[i] * gradient[i];
      parameters[i] -= rate * first[i] / (std::sqrt(second[i]) + kEpsilon);
    }
  }
  if (!is_careful || best.empty()) return parameters;
  double outputs[2];
  net.outputs(both, parameters, outputs);
  return sign * (outputs[1] - outputs[0]) > most ? parameters : best;
}

// After how many rounds the two graphs first differ in the colors of their rows; 0 if they do not.
template <typename Item>
int first_difference(const levels::Levels<Item>& levels) {
  using Counts = std::map<levels::Row, std::uint64_t>;
  Counts of[2];
  for (std::size_t g = 0; g < 2; ++g)
    for (std::uint64_t k = levels.pool_offsets[g]; k < levels.pool_offsets[g + 1]; ++k)
      of[g][levels.pool_rows[k]] += levels.pool_counts[k];
  if (of[0] == of[1]) return 0;
  std::size_t rounds = levels.num_rounds();
  while (rounds > 0) {
    Counts before[2];
    for (std::size_t g = 0; g < 2; ++g)
      for (const auto& [row, count] : of[g])
        before[g][levels.levels[rounds * levels.levels_per_round].own[row]] += count;
    if (before[0] == before[1]) break;
    of[0] = std::move(before[0]);
    of[1] = std::move(before[1]);
    --rounds;
  }
  return static_cast<int>(rounds);
}

template <typename Item>
bool is_stable(const levels::Levels<Item>& levels) {
  const std::size_t last = levels.levels.size() - 1;
  return levels.levels[last].num_rows() == levels.levels[last - levels.levels_per_round].num_rows();
}

// As many layers as it takes to see a difference, if there is one.
int num_layers(const EncodedDataset& pair, const SeparationOptions& options) {
  constexpr int kFirstRounds = 6;
  for (int rounds = std::min(kFirstRounds, options.most_layers);;
       rounds = std::min(2 * rounds, options.most_layers)) {
    const auto look = [&](const auto& levels) {
      const int found = first_difference(levels);
      if (found > 0) return std::max(found, options.model.layers);
      return is_stable(levels) || rounds == options.most_layers ? options.model.layers : 0;
    };
    const int layers = pair.model() == model::ModelKind::k2WlGnn ? look(pair.color_levels(rounds))
                                                                 : look(pair.neighbor_levels(rounds));
    if (layers > 0) return layers;
  }
}

Separation separate_pair(Span<const Graph> pair, const SeparationOptions& given, std::uint64_t pair_number) {
  Separation found;
  SeparationOptions options = given;
  const Random random = Random(options.seed).stream(pair_number);
  const InputLayout layout = input_layout(pair, options.model);
  const EncodedDataset data(pair, options.model, layout, one_thread(options));
  options.model.layers = found.layers = num_layers(data, given);
  for (int i = 0; i < options.tries && !found.is_distinguished; ++i) {
    Random of_try = random.stream(static_cast<std::uint64_t>(i));
    const std::vector<double> parameters = train_on_pair(data, options, i, of_try.bits());
    const std::vector<double> outputs = outputs_in_double(pair, options, layout, parameters);
    const double needed = options.margin * std::max({1.0, std::abs(outputs[0]), std::abs(outputs[1])});
    const auto differ = [&](const Comparison& seen) {
      return std::abs(seen.difference) > needed && seen.statistic > options.threshold;
    };
    found.difference = outputs[0] - outputs[1];
    found.statistic = found.controls[0] = found.controls[1] = 0;
    if (std::abs(found.difference) <= needed) continue;
    std::vector<double> copies[2];
    for (std::size_t g = 0; g < 2; ++g)
      copies[g] = copy_outputs(pair[g], of_try.stream(g), options, layout, parameters);
    const Comparison both = compare(copies[0], copies[1]);
    found.difference = both.difference;
    found.statistic = both.statistic;
    found.is_distinguished = differ(both);
    for (std::size_t g = 0; g < 2; ++g) {
      const Comparison control =
          compare(copies[g], copy_outputs(pair[g], of_try.stream(2 + g), options, layout, parameters));
      found.controls[g] = control.statistic;
      ++found.num_controls;
      if (differ(control)) ++found.num_false;
      if (control.statistic > options.threshold) found.is_distinguished = false;
    }
  }
  return found;
}

}  // namespace

SeparationOptions separation_options(model::ModelKind model) {
  SeparationOptions options;
  options.model = model::plain_options(model);
  options.model.width = 16;
  options.model.layers = 3;
  options.model.pooling = model::has_pair_rows(model) ? model::Pooling::kMean : model::Pooling::kSum;
  options.model.jumping_knowledge = false;
  if (model != model::ModelKind::kGin) options.model.activation = compute::Activation::kTanh;
  options.model.inner_activation = compute::Activation::kLogistic;
  // Two graphs are no batch to normalize by.
  options.model.batch_norm = false;
  return options;
}

double paired_statistic(Span<const double> differences) {
  double sum = 0, squares = 0, largest = 0;
  for (const double d : differences) largest = std::max(largest, std::abs(d));
  if (largest == 0) return 0;
  // Scaled, or squares of rounding errors would vanish.
  for (const double d : differences) {
    sum += d / largest;
    squares += d / largest * (d / largest);
  }
  return sum * sum / squares;
}

std::vector<Separation> separate_pairs(Span<const Graph> graphs, const SeparationOptions& options) {
  TWOFOLD_CHECK(graphs.size() % 2 == 0, "pairs of {} graphs", graphs.size());
  if (options.model.task != model::TaskKind::kBinary)
    throw UsageError("needed a network of two classes to tell pairs apart, found another");
  model::check_options(options.model);
  if (options.copies < 1 || !(options.threshold < options.copies))
    throw UsageError(
        fmt::format("needed a threshold below the {} copies, found {}", options.copies, options.threshold));
  std::vector<Separation> results(graphs.size() / 2);
  std::mutex guard;
  std::size_t done = 0;
  parallel_for(results.size(), options.threads, [&](std::size_t p) {
    results[p] = separate_pair(Span<const Graph>(graphs.data() + 2 * p, 2), options, p);
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, results.size());
  });
  return results;
}

}  // namespace twofold::train
