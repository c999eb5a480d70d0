#include "twofold/wl/random_net.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/graph/marked_union.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

// Found by trial: with these, one network in 464 misses a pair of long rings at radius all (after which two
// more are asked), with 2 and 2 one in 16.
constexpr double kSumGain = 8;
constexpr double kInnerGain = 4;
constexpr int kIdleLayers = 3;

// Sums of `count` terms within -1…1 that are the same in any order: each term is rounded to a multiple of
// 2^(b-52), where 2^b > count, so that every partial sum is one too, is at most 2^b, and has room in 53 bits.
// Adding 1.5 * 2^b, whose last bit is worth just that much, rounds so.
class Grid {
 public:
  explicit Grid(std::size_t count) {
    double power = 2;
    while (power <= static_cast<double>(count)) power *= 2;
    anchor_ = 1.5 * power;
  }
  double operator()(double term) const { return (term + anchor_) - anchor_; }

 private:
  double anchor_;
};

// to = x W, entry by entry in one order, whatever the row.
void multiply(const double* x, const std::vector<double>& weight, std::size_t width, double* to) {
  std::fill_n(to, width, 0.0);
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t j = 0; j < width; ++j) to[j] += x[k] * weight[k * width + j];
}

// The objects around object i, or pairs of them: those of a signature whose colors are the objects' numbers.
class Neighborhoods {
 public:
  explicit Neighborhoods(const Objects& objects) : objects_(objects), numbers_(objects.size()) {
    std::iota(numbers_.begin(), numbers_.end(), Color{0});
  }
  const std::vector<std::uint64_t>& of(std::size_t i) {
    objects_.signature(i, numbers_, 32, items_);
    return items_;
  }

 private:
  const Objects& objects_;
  std::vector<Color> numbers_;
  std::vector<std::uint64_t> items_;
};

void add_rows(const std::vector<std::uint64_t>& items, const std::vector<double>& from, std::size_t width,
              double* sum) {
  const Grid grid(items.size());
  std::fill_n(sum, width, 0.0);
  for (const std::uint64_t item : items) {
    const double* const z = from.data() + item * width;
    for (std::size_t c = 0; c < width; ++c) sum[c] += grid(z[c]);
  }
}

// logistic(x_a + x_b + b) is 1 / (1 + e^-b e^-x_a e^-x_b); a product of two numbers does not know their order.
void add_pairs(const std::vector<std::uint64_t>& items, const std::vector<double>& powers,
               const std::vector<double>& bias_powers, std::size_t width, double* sum) {
  const Grid grid(items.size());
  std::fill_n(sum, width, 0.0);
  for (const std::uint64_t item : items) {
    const double* const a = powers.data() + (item >> 32) * width;
    const double* const b = powers.data() + (item & 0xffffffffu) * width;
    for (std::size_t c = 0; c < width; ++c) sum[c] += grid(1 / (1 + bias_powers[c] * (a[c] * b[c])));
  }
}

std::vector<double> start_rows(const Objects& objects, std::size_t width, std::uint64_t seed) {
  std::vector<std::uint64_t> colors(objects.size());
  objects.start_values(colors);
  std::vector<double> rows;
  rows.reserve(objects.size() * width);
  // One column per color, times a random matrix.
  for (const std::uint64_t color : colors) {
    Random random(mix(seed, color));
    for (std::size_t c = 0; c < width; ++c) rows.push_back(2 * random.uniform() - 1);
  }
  return rows;
}

std::size_t most_terms(const Objects& objects) {
  Neighborhoods neighborhoods(objects);
  std::size_t most = 1;
  for (std::size_t i = 0; i < objects.size(); ++i) most = std::max(most, neighborhoods.of(i).size());
  return most;
}

std::size_t num_different(const std::vector<double>& a, const std::vector<double>& b, std::size_t width) {
  std::vector<std::uint64_t> hashes;
  for (const std::vector<double>* rows : {&a, &b})
    for (std::size_t at = 0; at < rows->size(); at += width) {
      std::uint64_t hash = 0;
      for (std::size_t c = 0; c < width; ++c) {
        std::uint64_t bits;
        std::memcpy(&bits, rows->data() + at + c, sizeof bits);
        hash = mix(hash, bits);
      }
      hashes.push_back(hash);
    }
  std::sort(hashes.begin(), hashes.end());
  return static_cast<std::size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
}

bool tells_apart(const Objects& a, const Objects& b, const WlTest& twin, const NetOptions& net,
                 std::size_t terms, std::uint64_t seed) {
  std::vector<double> rows_a = start_rows(a, net.width, seed);
  std::vector<double> rows_b = start_rows(b, net.width, seed);
  std::size_t different = 0;
  int idle = 0;
  for (int layer = 0;; ++layer) {
    if (pool_rows(rows_a, net.width) != pool_rows(rows_b, net.width)) return true;
    // One layer that splits nothing is the end of refinement; two more are for what rounding may hide.
    const std::size_t now = num_different(rows_a, rows_b, net.width);
    idle = now > different ? 0 : idle + 1;
    different = std::max(different, now);
    if (layer == net.max_layers || idle == kIdleLayers) return false;
    const NetLayer next =
        random_layer(twin.kind, net.width, terms, mix(seed, static_cast<std::uint64_t>(layer)));
    rows_a = apply_layer(a, twin.kind, next, rows_a);
    rows_b = apply_layer(b, twin.kind, next, rows_b);
  }
}

// A graph without labels beside labelled ones is another thing than a graph of the first label.
Graph marked_pair_side(const Graph& g, const std::vector<Label>& labels) {
  if (labels.empty() || g.has_node_labels() || g.num_nodes() == 0) return graph::marked_union(g, labels);
  const Graph copies = graph::marked_union(g, {});
  GraphBuilder builder(copies.num_nodes());
  for (const Edge e : copies.edges()) builder.add_edge(e.u, e.v);
  for (const Node v : copies.self_loops()) builder.add_edge(v, v);
  std::vector<Label> negative;
  for (const Label label : copies.node_labels()) negative.push_back(-1 - label);
  builder.set_node_labels(std::move(negative));
  if (copies.has_edge_labels())
    builder.set_edge_labels({copies.edge_labels().begin(), copies.edge_labels().end()});
  return std::move(builder).build();
}

}  // namespace

bool has_network(const WlTest& test) {
  if (test.kind == Kind::kTuples || test.marks > 1) return false;
  if (test.marks == 0) return true;
  return test.kind == Kind::kVertices || (test.kind == Kind::kRows && !test.radius.is_all());
}

NetLayer random_layer(Kind kind, std::size_t width, std::size_t most_terms, std::uint64_t seed) {
  Random random(seed);
  const double unit = std::sqrt(3.0 / static_cast<double>(width));
  const auto draw = [&](std::size_t count, double bound) {
    std::vector<double> values(count);
    for (double& value : values) value = bound * (2 * random.uniform() - 1);
    return values;
  };
  NetLayer layer;
  layer.width = width;
  layer.weight = draw(width * width, unit);
  // A sum may be as large as its terms are many.
  const double of_sums = kSumGain * unit / static_cast<double>(most_terms);
  layer.factor = draw(width * width, of_sums);
  layer.inner = draw(width * width, kind == Kind::kRows ? kInnerGain * unit : of_sums);
  layer.bias = draw(width, 0.5);
  layer.inner_bias = draw(width, 0.5);
  layer.eps = random.uniform();
  return layer;
}

std::vector<double> apply_layer(const Objects& objects, Kind kind, const NetLayer& layer,
                                const std::vector<double>& from) {
  TWOFOLD_CHECK(kind != Kind::kTuples && from.size() == objects.size() * layer.width);
  const std::size_t width = layer.width;
  std::vector<double> to(from.size()), powers, bias_powers;
  std::vector<double> sum(width), product(width);
  if (kind == Kind::kRows) {
    powers.resize(from.size());
    for (std::size_t at = 0; at < from.size(); at += width)
      multiply(from.data() + at, layer.inner, width, powers.data() + at);
    for (double& value : powers) value = std::exp(-value);
    for (const double bias : layer.inner_bias) bias_powers.push_back(std::exp(-bias));
  }
  Neighborhoods neighborhoods(objects);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::vector<std::uint64_t>& items = neighborhoods.of(i);
    const double* const z = from.data() + i * width;
    double* const out = to.data() + i * width;
    if (kind == Kind::kRows)
      add_pairs(items, powers, bias_powers, width, sum.data());
    else
      add_rows(items, from, width, sum.data());
    if (kind == Kind::kVertices) {
      for (std::size_t c = 0; c < width; ++c) sum[c] += (1 + layer.eps) * z[c];
      multiply(sum.data(), layer.inner, width, product.data());
      for (std::size_t c = 0; c < width; ++c) product[c] = std::tanh(product[c] + layer.inner_bias[c]);
      multiply(product.data(), layer.weight, width, out);
    } else {
      multiply(z, layer.weight, width, out);
      multiply(kind == Kind::kRows ? z : sum.data(), kind == Kind::kRows ? layer.factor : layer.inner, width,
               product.data());
      for (std::size_t c = 0; c < width; ++c) out[c] += kind == Kind::kRows ? product[c] * sum[c] : product[c];
    }
    for (std::size_t c = 0; c < width; ++c) out[c] = std::tanh(out[c] + layer.bias[c]);
  }
  return to;
}

std::vector<double> pool_rows(const std::vector<double>& rows, std::size_t width) {
  const Grid grid(rows.size() / width);
  std::vector<double> sum(width, 0);
  for (std::size_t at = 0; at < rows.size(); ++at) sum[at % width] += grid(rows[at]);
  return sum;
}

std::vector<bool> distinguish_pairs_by_nets(Span<const Graph> graphs, const WlTest& given,
                                            const NetOptions& net, const ClassifyOptions& options) {
  TWOFOLD_CHECK(graphs.size() % 2 == 0 && has_network(given));
  require_undirected(graphs, "a network");
  WlTest twin = given;
  std::vector<Graph> marked;
  if (given.marks > 0) {
    std::set<Label> labels;
    for (const Graph& g : graphs) labels.insert(g.node_labels().begin(), g.node_labels().end());
    const std::vector<Label> sorted(labels.begin(), labels.end());
    for (const Graph& g : graphs) marked.push_back(marked_pair_side(g, sorted));
    graphs = marked;
    twin.marks = 0;
  }
  if (twin.kind == Kind::kVertices) twin.edge_labels = false;
  const std::size_t num_pairs = graphs.size() / 2;
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  const auto at_once = 2 * std::min<std::uint64_t>(static_cast<std::uint64_t>(resolve_threads(options.threads)),
                                                   std::max<std::size_t>(1, num_pairs));
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::uint64_t rows = std::min(count_objects(graphs[g], twin), std::uint64_t{1} << 40);
    const std::uint64_t need =
        std::min(objects_memory(graphs[g], twin, limit), std::uint64_t{1} << 50) + rows * net.width * 40;
    require_memory(fmt::format("{} of graph {} ({} nodes)", net_name(twin), g + 1, graphs[g].num_nodes()),
                   need * at_once, limit);
  }
  std::vector<char> verdicts(num_pairs, false);
  std::mutex guard;
  std::size_t done = 0;
  parallel_for(num_pairs, options.threads, [&](std::size_t p) {
    const auto a = make_objects(graphs[2 * p], twin);
    const auto b = make_objects(graphs[2 * p + 1], twin);
    const std::size_t terms = std::max(most_terms(*a), most_terms(*b));
    for (int i = 0; i < net.nets && !verdicts[p]; ++i)
      verdicts[p] = tells_apart(*a, *b, twin, net, terms, mix(net.seed, static_cast<std::uint64_t>(i)));
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, num_pairs);
  });
  return {verdicts.begin(), verdicts.end()};
}

WlTest parse_net(const std::string& word) {
  if (word == "gin") return parse_test("1-wl");
  if (word == "2-gnn") return parse_test("2-gnn");
  if (word == "2-wl-gnn") return parse_test("2-wl");
  throw UsageError(fmt::format("needed a network 2-wl-gnn, 2-gnn or gin, found {}", in_quotes(word)));
}

std::string net_name(const WlTest& twin) {
  switch (twin.kind) {
    case Kind::kVertices:
      return "gin";
    case Kind::kEdges:
      return "2-gnn";
    default:
      return "2-wl-gnn";
  }
}

}  // namespace twofold::wl
