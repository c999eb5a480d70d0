#include "twofold/compute/pair_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/compute/dense_layer.h"

namespace twofold::compute {
namespace {

// Rows a chunk: some 3 KB each through three layers of width 32 and back, so that a chunk stays near the core.
constexpr std::size_t kChunkRows = 256;

// Some graphs of a batch with all that belongs to them, or all levels.
template <typename T>
struct Chunk {
  std::size_t first_graph = 0;
  std::size_t num_graphs = 0;
  std::size_t num_rows = 0;
  std::vector<PairPlan> plans;
  std::vector<const PairPlan*> plan_of_layer;
  std::vector<std::uint32_t> labels;
  std::vector<std::uint32_t> edge_rows;
  std::vector<T> edge_attributes;
  PairStackInput<T> input;
  std::vector<PoolSegment> segments;
  std::size_t num_pooled = 0;
};

template <typename T>
void fill_from_graphs(Chunk<T>& chunk, const PairNetBatch<T>& batch, const PairNetShape& shape) {
  std::vector<const pairs::PairSet*> sets;
  chunk.labels.clear();
  chunk.edge_rows.clear();
  chunk.edge_attributes.clear();
  chunk.segments.clear();
  chunk.input.attributes.clear();
  std::size_t first_row = 0;
  for (std::size_t g = chunk.first_graph; g < chunk.first_graph + chunk.num_graphs; ++g) {
    const auto& graph = batch.graphs[g];
    sets.push_back(graph.set);
    const std::size_t rows = graph.set->num_rows();
    const std::size_t nodes = graph.set->num_nodes();
    chunk.labels.insert(chunk.labels.end(), graph.labels, graph.labels + rows);
    chunk.segments.push_back({nullptr, nullptr, first_row, shape.loops_only ? nodes : rows});
    if (batch.node_attributes > 0)
      chunk.input.attributes.push_back({nullptr, first_row, nodes, graph.node_attributes,
                                        batch.node_attribute_column, batch.node_attributes});
    if (batch.edge_attributes > 0) {
      for (std::size_t i = 0; i < graph.num_edge_rows; ++i)
        chunk.edge_rows.push_back(static_cast<std::uint32_t>(first_row + graph.edge_rows[i]));
      chunk.edge_attributes.insert(chunk.edge_attributes.end(), graph.edge_attributes,
                                   graph.edge_attributes + graph.num_edge_rows * batch.edge_attributes);
    }
    first_row += rows;
  }
  if (batch.edge_attributes > 0)
    chunk.input.attributes.push_back({chunk.edge_rows.data(), 0, chunk.edge_rows.size(),
                                      chunk.edge_attributes.data(), batch.edge_attribute_column,
                                      batch.edge_attributes});
  chunk.plans.assign(1, make_plan(pairs::make_batch(sets)));
  chunk.plan_of_layer.assign(shape.stack.layers.size(), &chunk.plans[0]);
  chunk.input.labels.assign(shape.stack.layers.size(), chunk.labels.data());
}

template <typename T>
void fill_from_levels(Chunk<T>& chunk, const PairNetBatch<T>& batch) {
  chunk.plans.clear();
  for (const pairs::Level* level : batch.levels) chunk.plans.push_back(make_plan({level}));
  chunk.plan_of_layer.clear();
  for (const PairPlan& plan : chunk.plans) chunk.plan_of_layer.push_back(&plan);
  chunk.input.labels = batch.level_labels;
  chunk.input.attributes.clear();
  chunk.segments = batch.segments;
}

// The borders depend on the batch alone.
template <typename T>
void cut_into_chunks(const PairNetBatch<T>& batch, std::vector<Chunk<T>>& chunks, std::size_t& count) {
  count = 0;
  const auto next = [&](std::size_t first_graph) -> Chunk<T>& {
    if (chunks.size() == count) chunks.emplace_back();
    Chunk<T>& chunk = chunks[count++];
    chunk.first_graph = first_graph;
    chunk.num_graphs = chunk.num_rows = 0;
    return chunk;
  };
  if (!batch.levels.empty()) {
    next(0).num_graphs = batch.segments.size();
    return;
  }
  Chunk<T>* open = nullptr;
  for (std::size_t g = 0; g < batch.graphs.size(); ++g) {
    const std::size_t rows = batch.graphs[g].set->num_rows();
    if (open == nullptr || open->num_rows + rows > kChunkRows) open = &next(g);
    ++open->num_graphs;
    open->num_rows += rows;
  }
}

}  // namespace

template <typename T>
struct PairNet<T>::Workspace {
  std::vector<Chunk<T>> chunks;
  PairStackShared<T> stack;
  PairStackShared<T> attention;
  std::vector<T> hidden_transposed;
  std::vector<T> output_transposed;
  // One a worker.
  std::vector<std::unique_ptr<Arena>> arenas;
  // One a chunk: the parameters' gradient and the sums by label, one after the other.
  std::vector<std::vector<T>> gradients;
};

namespace {

std::size_t num_label_sums(const PairStackShape& shape, std::size_t num_labels) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < shape.layers.size(); ++k)
    if (shape.sees_input(k)) count += num_labels * 3 * shape.layers[k].width;
  return count;
}

// A chunk's gradient: the parameters, then the sums by label of the stack and of the attention.
template <typename T>
struct ChunkGradient {
  PairStackGradient<T> stack;
  PairStackGradient<T> attention;

  static std::size_t size(const PairNetShape& shape, std::size_t num_labels) {
    return shape.num_parameters + num_label_sums(shape.stack, num_labels) +
           num_label_sums(shape.attention, num_labels);
  }
  ChunkGradient(const PairNetShape& shape, std::size_t num_labels, T* buffer) {
    T* at = buffer + shape.num_parameters;
    for (auto [part, gradient] : {std::pair{&shape.stack, &stack}, std::pair{&shape.attention, &attention}}) {
      gradient->parameters = buffer;
      gradient->labels.assign(part->layers.size(), nullptr);
      for (std::size_t k = 0; k < part->layers.size(); ++k) {
        if (!part->sees_input(k)) continue;
        gradient->labels[k] = at;
        at += num_labels * 3 * part->layers[k].width;
      }
    }
  }
};

// Forward through one chunk, and back if there are targets.
template <typename T>
class ChunkPass {
 public:
  ChunkPass(const PairNetShape& shape, const Chunk<T>& chunk, const T* parameters, Arena& arena,
            const PairStackShared<T>& stack, const PairStackShared<T>& attention, int threads)
      : shape_(shape),
        chunk_(chunk),
        parameters_(parameters),
        arena_(arena),
        stack_(shape.stack, chunk.plan_of_layer, chunk.input, stack, parameters, arena, threads),
        attention_(shape.attention, chunk.plan_of_layer, chunk.input, attention, parameters, arena, threads) {}

  void forward() {
    const std::size_t w = width();
    check(stack_.forward(), "convolution", stack_);
    if (has_attention()) check(attention_.forward(), "the attention's convolution", attention_);
    pool_.pooling = shape_.pooling;
    pool_.d = w;
    pool_.segments = chunk_.segments.data();
    pool_.num_segments = chunk_.segments.size();
    pool_.y = {stack_.output(), w};
    pool_.out = arena_.take<T>(pool_.num_segments * w);
    if (shape_.pooling == Pooling::kWeightedMean) {
      if (has_attention()) {
        pool_.scores = {attention_.output(), w};
        pool_.score_columns = w;
      } else {
        T* scores = arena_.take<T>(stack_.num_rows());
        matrix_product<T>(stack_.num_rows(), w, 1, {stack_.output(), w}, {parameters_ + shape_.score_weight, 1},
                          {scores, 1});
        pool_.scores = {scores, 1};
        pool_.score_columns = 1;
      }
      std::size_t pooled = 0;
      for (const PoolSegment& segment : chunk_.segments) pooled += segment.size;
      pool_.weights = arena_.take<T>(pooled * pool_.score_columns);
    }
    pool_rows(pool_);
    outputs_ = pool_.out;
    const std::size_t graphs = pool_.num_segments;
    if (shape_.hidden == 0) {
      if (shape_.pools_chances) take_logits(graphs * w);
      return;
    }
    hidden_ = arena_.take<T>(graphs * shape_.hidden);
    matrix_product<T>(graphs, w, shape_.hidden, {pool_.out, w},
                      {parameters_ + shape_.hidden_weight, shape_.hidden}, {hidden_, shape_.hidden});
    activate_rows(shape_.hidden_activation, graphs, shape_.hidden, parameters_ + shape_.hidden_bias, hidden_);
    outputs_ = arena_.take<T>(graphs * shape_.num_outputs);
    matrix_product<T>(graphs, shape_.hidden, shape_.num_outputs, {hidden_, shape_.hidden},
                      {parameters_ + shape_.output_weight, shape_.num_outputs}, {outputs_, shape_.num_outputs});
    activate_rows(Activation::kIdentity, graphs, shape_.num_outputs, parameters_ + shape_.output_bias,
                  outputs_);
  }

  const T* outputs() const { return outputs_; }
  const T* vectors() const { return pool_.out; }
  std::size_t width() const { return shape_.stack.layers.back().width; }

  // Gives the loss; adds to the gradients.
  double backward(const Targets<T>& targets, const PairStackGradient<T>& stack,
                  const PairStackGradient<T>& attention, const T* hidden_transposed,
                  const T* output_transposed) {
    const std::size_t graphs = pool_.num_segments;
    const std::size_t w = width();
    T* doutputs = arena_.take<T>(graphs * shape_.num_outputs);
    const double loss = graph_loss(shape_.loss, graphs, shape_.num_outputs, outputs_, targets, doutputs);
    T* gradient = stack.parameters;
    if (shape_.hidden == 0 && shape_.pools_chances) take_logits_backward(graphs * w, doutputs);
    pool_.dout =
        shape_.hidden == 0 ? doutputs : head_backward(doutputs, hidden_transposed, output_transposed, gradient);
    T* dy = arena_.take_zeros<T>(stack_.num_rows() * w);
    pool_.dy = {dy, w};
    T* dscores = arena_.take_zeros<T>(stack_.num_rows() * pool_.score_columns);
    pool_.dscores = {dscores, pool_.score_columns};
    pool_rows_backward(pool_);
    if (has_attention()) attention_.backward(dscores, attention);
    if (pool_.score_columns == 1 && !has_attention()) {
      // score = y . v
      add_transposed_product<T>(stack_.num_rows(), w, 1, {stack_.output(), w}, {dscores, 1},
                                {gradient + shape_.score_weight, 1});
      matrix_product<T>(stack_.num_rows(), 1, w, {dscores, 1}, {parameters_ + shape_.score_weight, w}, {dy, w},
                        true);
    }
    stack_.backward(dy, stack);
    return loss;
  }

 private:
  bool has_attention() const { return !shape_.attention.layers.empty(); }

  static void check(bool is_finite, const char* what, const PairStackPass<T>& pass) {
    if (!is_finite)
      throw Error(fmt::format("{} {}: a value is infinite or no number", what, pass.failed_layer() + 1));
  }

  // Keras clips so before it takes logarithms.
  static constexpr double kLeastChance = 1e-7;

  void take_logits(std::size_t count) {
    outputs_ = arena_.take<T>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double p = std::clamp(static_cast<double>(pool_.out[i]), kLeastChance, 1 - kLeastChance);
      outputs_[i] = static_cast<T>(std::log(p / (1 - p)));
    }
  }

  void take_logits_backward(std::size_t count, T* doutputs) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double p = static_cast<double>(pool_.out[i]);
      const bool is_clipped = p < kLeastChance || p > 1 - kLeastChance;
      doutputs[i] = is_clipped ? T{0} : static_cast<T>(static_cast<double>(doutputs[i]) / (p * (1 - p)));
    }
  }

  const T* head_backward(const T* doutputs, const T* hidden_transposed, const T* output_transposed,
                         T* gradient) {
    const std::size_t graphs = pool_.num_segments;
    const std::size_t w = width(), h = shape_.hidden, o = shape_.num_outputs;
    const T one = 1;
    add_transposed_product<T>(graphs, h, o, {hidden_, h}, {doutputs, o}, {gradient + shape_.output_weight, o});
    add_transposed_product<T>(graphs, 1, o, {&one, 0}, {doutputs, o}, {gradient + shape_.output_bias, o});
    T* dhidden = arena_.take<T>(graphs * h);
    matrix_product<T>(graphs, o, h, {doutputs, o}, {output_transposed, h}, {dhidden, h});
    activate_rows_backward(shape_.hidden_activation, graphs, h, hidden_, dhidden, dhidden,
                           gradient + shape_.hidden_bias);
    add_transposed_product<T>(graphs, w, h, {pool_.out, w}, {dhidden, h}, {gradient + shape_.hidden_weight, h});
    T* dvectors = arena_.take<T>(graphs * w);
    matrix_product<T>(graphs, h, w, {dhidden, h}, {hidden_transposed, w}, {dvectors, w});
    return dvectors;
  }

  const PairNetShape& shape_;
  const Chunk<T>& chunk_;
  const T* parameters_;
  Arena& arena_;
  PairStackPass<T> stack_;
  PairStackPass<T> attention_;
  PoolArgs<T> pool_;
  T* hidden_ = nullptr;
  T* outputs_ = nullptr;
};

}  // namespace

template <typename T>
PairNet<T>::PairNet(const PairNetShape& shape) : shape_(shape), workspace_(std::make_unique<Workspace>()) {
  TWOFOLD_CHECK(!shape.stack.layers.empty(), "a network needs at least one layer");
}
template <typename T>
PairNet<T>::~PairNet() = default;
template <typename T>
PairNet<T>::PairNet(PairNet&&) noexcept = default;

template <typename T>
void PairNet<T>::outputs(const PairNetBatch<T>& batch, const T* parameters, const Result& result, int threads) {
  run(batch, nullptr, parameters, nullptr, result, threads);
}

template <typename T>
double PairNet<T>::loss_and_gradient(const PairNetBatch<T>& batch, const Targets<T>& targets,
                                     const T* parameters, T* gradient, const Result& result, int threads) {
  return run(batch, &targets, parameters, gradient, result, threads);
}

template <typename T>
double PairNet<T>::run(const PairNetBatch<T>& batch, const Targets<T>* targets, const T* parameters,
                       T* gradient, const Result& result, int threads) {
  Workspace& work = *workspace_;
  const bool trains = targets != nullptr;
  work.stack.prepare(shape_.stack, batch.table, parameters, trains);
  work.attention.prepare(shape_.attention, batch.table, parameters, trains);
  if (trains && shape_.hidden > 0) {
    const std::size_t w = shape_.stack.layers.back().width, h = shape_.hidden, o = shape_.num_outputs;
    work.hidden_transposed.resize(w * h);
    work.output_transposed.resize(h * o);
    transpose<T>(w, h, {parameters + shape_.hidden_weight, h}, {work.hidden_transposed.data(), w});
    transpose<T>(h, o, {parameters + shape_.output_weight, o}, {work.output_transposed.data(), h});
  }

  std::size_t num_chunks = 0;
  cut_into_chunks(batch, work.chunks, num_chunks);
  const int workers = resolve_threads(threads);
  while (work.arenas.size() < static_cast<std::size_t>(workers))
    work.arenas.push_back(std::make_unique<Arena>());
  if (trains && work.gradients.size() < num_chunks) work.gradients.resize(num_chunks);
  std::vector<double> losses(num_chunks, 0);
  // Large chunks first, so that no thread is left with one at the end.
  std::vector<std::uint32_t> order(num_chunks);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return work.chunks[a].num_rows > work.chunks[b].num_rows; });

  // A small batch on levels is done before a second thread has woken up.
  constexpr std::size_t kEnoughTriples = 200000;
  std::size_t level_triples = 0;
  for (const pairs::Level* level : batch.levels) level_triples += level->items.size();
  const bool is_alone = num_chunks == 1 && (batch.levels.empty() || level_triples >= kEnoughTriples);
  const int threads_inside = is_alone ? workers : 1;
  parallel_for_workers(num_chunks, threads, [&](std::size_t i, int worker) {
    const std::size_t c = order[i];
    Chunk<T>& chunk = work.chunks[c];
    if (batch.levels.empty())
      fill_from_graphs(chunk, batch, shape_);
    else
      fill_from_levels(chunk, batch);
    Arena& arena = *work.arenas[static_cast<std::size_t>(worker)];
    arena.reset();
    ChunkPass<T> pass(shape_, chunk, parameters, arena, work.stack, work.attention, threads_inside);
    pass.forward();
    const std::size_t graphs = chunk.segments.size();
    if (result.outputs != nullptr)
      std::copy_n(pass.outputs(), graphs * shape_.num_outputs,
                  result.outputs + chunk.first_graph * shape_.num_outputs);
    if (result.vectors != nullptr)
      std::copy_n(pass.vectors(), graphs * pass.width(), result.vectors + chunk.first_graph * pass.width());
    if (!trains) return;

    std::vector<T>& buffer = work.gradients[c];
    buffer.assign(ChunkGradient<T>::size(shape_, batch.table.num_rows), T{0});
    const ChunkGradient<T> to(shape_, batch.table.num_rows, buffer.data());
    Targets<T> own = *targets;
    own.weights += chunk.first_graph;
    if (own.classes != nullptr) own.classes += chunk.first_graph;
    if (own.values != nullptr) own.values += chunk.first_graph * shape_.num_outputs;
    losses[c] = pass.backward(own, to.stack, to.attention, work.hidden_transposed.data(),
                              work.output_transposed.data());
  });
  if (!trains) return 0;
  std::fill_n(gradient, shape_.num_parameters, T{0});
  if (num_chunks == 0) return 0;

  std::vector<T>& sum = work.gradients[0];
  for (std::size_t c = 1; c < num_chunks; ++c)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += work.gradients[c][i];
  const ChunkGradient<T> to(shape_, batch.table.num_rows, sum.data());
  add_label_gradients(shape_.stack, batch.table, to.stack);
  add_label_gradients(shape_.attention, batch.table, to.attention);
  std::copy_n(sum.data(), shape_.num_parameters, gradient);
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

template class PairNet<float>;
template class PairNet<double>;

}  // namespace twofold::compute
