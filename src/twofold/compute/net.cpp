#include "twofold/compute/net.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "twofold/base/denormals.h"
#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/compute/dropout.h"
#include "twofold/compute/net_part.h"

namespace twofold::compute {
namespace {

template <typename T>
void give(const NetShape& shape, const NetBatch<T>& batch, std::size_t p, const PartPass<T>& pass,
          const typename Net<T>::Result& result) {
  const std::size_t first = batch.parts[p].first_graph, graphs = batch.parts[p].num_graphs;
  const std::size_t o = shape.num_outputs, all = shape.vector_width();
  if (result.outputs != nullptr) std::copy_n(pass.outputs(), graphs * o, result.outputs + first * o);
  if (result.vectors != nullptr) {
    std::size_t at = 0;
    for (std::size_t r = 0; r < shape.readouts.size(); ++r) {
      const std::size_t v = shape.vector_width(shape.readouts[r]);
      for (std::size_t g = 0; g < graphs; ++g)
        std::copy_n(pass.readouts()[r].vectors() + g * v, v, result.vectors + (first + g) * all + at);
      at += v;
    }
  }
  const std::size_t last = shape.stack.layers.size() - 1;
  const std::size_t rows = pass.stack().num_rows(last);
  if (result.rows != nullptr)
    std::copy_n(pass.stack().rows(last), rows * shape.stack.layers[last].out(), result.rows);
  const ReadoutPass<T>& readout = pass.readouts().back();
  if (result.scores != nullptr && readout.scores() != nullptr)
    std::copy_n(readout.scores(), rows * readout.score_columns(), result.scores);
}

// A normalization over the batch, and its columns.
struct NormPlace {
  const EndShape* end;
  std::size_t d;
};

// Adds those of the layers from `begin` to `end` of the stack and the attention, in the order that passes come
// to them; backward it is the reverse.
void add_layer_norms(const NetShape& shape, std::size_t begin, std::size_t end, std::vector<NormPlace>& norms) {
  const auto add = [&](const EndShape& shape_of_end, std::size_t d) {
    if (shape_of_end.norm == Norm::kBatch) norms.push_back({&shape_of_end, d});
  };
  for (const StackShape* stack : {&shape.stack, &shape.attention})
    for (std::size_t k = begin; k < std::min(end, stack->layers.size()); ++k) {
      const LayerShape& layer = stack->layers[k];
      add(layer.sum_end, layer.width);
      add(layer.end, layer.width);
      if (layer.has_second()) add(layer.second_end, layer.second_width);
    }
}

// All of them: first those of a front of so many layers.
std::vector<NormPlace> batch_norms(const NetShape& shape, std::size_t front_layers) {
  std::vector<NormPlace> norms;
  add_layer_norms(shape, 0, front_layers, norms);
  add_layer_norms(shape, front_layers, shape.stack.layers.size(), norms);
  for (const ReadoutShape& readout : shape.readouts)
    if (readout.pooled_end.norm == Norm::kBatch)
      norms.push_back({&readout.pooled_end, shape.vector_width(readout)});
  return norms;
}

// Throws CheckError for a front that the network cannot go on from.
void check_front(const NetShape& shape, std::size_t layers) {
  if (layers == 0) return;
  TWOFOLD_CHECK(layers < shape.stack.layers.size(), "a front of {} of {} layers", layers,
                shape.stack.layers.size());
  TWOFOLD_CHECK(shape.layer_dropout == 0, "rows are dropped, not colors");
  for (const StackShape* stack : {&shape.stack, &shape.attention})
    if (!stack->layers.empty())
      TWOFOLD_CHECK(!stack->layers[layers].residual, "the rows of a front are not added to those behind");
  for (const ReadoutShape& readout : shape.readouts)
    TWOFOLD_CHECK(readout.layer >= layers, "layer {} of a front is read out", readout.layer);
}

void check_stack(const StackShape& stack) {
  for (std::size_t k = 0; k < stack.layers.size(); ++k) {
    const LayerShape& layer = stack.layers[k];
    TWOFOLD_CHECK(layer.num_blocks() > 0 && layer.width > 0, "layer {} has no weights", k);
    TWOFOLD_CHECK(layer.gate == Gate::kNone || (layer.own && layer.sum != LayerShape::Sum::kNone),
                  "layer {} has a gate and nothing to multiply", k);
    TWOFOLD_CHECK(!slope_needs_input(layer.inner_activation), "layer {}: {} inside a sum", k,
                  to_string(layer.inner_activation));
    TWOFOLD_CHECK(
        layer.weight != kNowhere || (k == 0 && layer.width == stack.in && layer.columns() == stack.in),
        "layer {} has no weights", k);
    TWOFOLD_CHECK(!layer.residual || (k > 0 && stack.layers[k - 1].out() == layer.out()),
                  "layer {} cannot be added to the one before", k);
    TWOFOLD_CHECK(layer.sum_end.activation == Activation::kIdentity && layer.sum_end.groups.empty(),
                  "layer {}: sums have no activation", k);
  }
}

}  // namespace

// What is wanted of a batch.
template <typename T>
struct Net<T>::Task {
  const T* parameters = nullptr;
  // Training: running statistics are moved here, and the shards' targets count.
  T* running = nullptr;
  // Otherwise, unless null: the gradient of the outputs is given.
  const T* doutputs = nullptr;
  T* input = nullptr;
  const Shards* shards = nullptr;

  bool trains() const { return running != nullptr; }
  bool goes_back() const { return trains() || doutputs != nullptr; }
};

// A part of one of the shards.
template <typename T>
struct Net<T>::PartOf {
  std::size_t shard = 0;
  std::size_t number = 0;  // among its shard's
};

template <typename T>
struct Net<T>::Workspace {
  // Per shard: what all its parts share.
  struct OfShard {
    SparseRows<T> table;
    std::vector<T> table_values;
    StackShared<T> stack;
    StackShared<T> attention;
    std::vector<ReadoutShared<T>> readouts;
    std::size_t first_part = 0;
    std::size_t num_parts = 0;
  };
  std::vector<OfShard> shards;
  // Of a front of front_layers first, of which there are num_front_norms.
  std::vector<NormPlace> norms;
  std::size_t front_layers = 0;
  std::size_t num_front_norms = 0;
  // The parts of all shards, one after the other.
  std::vector<PartOf> parts;
  std::vector<NetPart<T>> filled;
  // One per worker, or per part where all go on together; and that of a front.
  std::vector<std::unique_ptr<Arena>> arenas;
  Arena front_arena;
  // Per part: the parameters' gradient and the sums by label, one after the other; and, unless they are added
  // up at once, those by the rows of a front.
  std::vector<std::vector<T>> gradients;
  std::vector<std::vector<T>> front_gradients;
  std::vector<double> losses;
  std::vector<std::uint32_t> order;
  // Where passes wait for each other.
  std::vector<EndPass<T>*> waiting;
  std::vector<double> blocks;
  std::vector<double> block;
  // Of all normalizations, in the order of passes forward.
  std::vector<double> norm_slopes;
};

template <typename T>
Net<T>::Net(const NetShape& shape) : shape_(shape), workspace_(std::make_unique<Workspace>()) {
  TWOFOLD_CHECK(!shape.stack.layers.empty(), "a network needs at least one layer");
  TWOFOLD_CHECK(!shape.readouts.empty(), "a network needs a readout");
  check_stack(shape.stack);
  check_stack(shape.attention);
  workspace_->norms = batch_norms(shape_, 0);
  for (const ReadoutShape& readout : shape.readouts) {
    TWOFOLD_CHECK(readout.layer < shape.stack.layers.size(), "no layer {} to read out", readout.layer);
    TWOFOLD_CHECK(readout.output_weight != kNowhere || shape.vector_width(readout) == shape.num_outputs,
                  "without a head as many values must be pooled as there are outputs");
    TWOFOLD_CHECK(readout.pooled_end.norm == Norm::kNone || readout.output_weight != kNowhere,
                  "what is pooled is normalized for a head");
    for (const Pooling pooling : readout.poolings)
      TWOFOLD_CHECK(pooling != Pooling::kWeightedMean || readout.score_weight != kNowhere ||
                        !shape.attention.layers.empty(),
                    "a weighted mean needs scores");
  }
}
template <typename T>
Net<T>::~Net() = default;
template <typename T>
Net<T>::Net(Net&&) noexcept = default;

template <typename T>
bool Net<T>::normalizes_batches() const {
  return !workspace_->norms.empty();
}

template <typename T>
void Net<T>::outputs(const NetBatch<T>& batch, const T* parameters, const Result& result, int threads) {
  Task task;
  task.parameters = parameters;
  Shard all{&batch, {}, nullptr, result, 0};
  run(task, {&all, 1}, threads);
}

template <typename T>
double Net<T>::loss_and_gradient(const NetBatch<T>& batch, const Targets<T>& targets, T* parameters,
                                 T* gradient, const Result& result, int threads) {
  Shard all{&batch, targets, gradient, result, 0};
  losses_and_gradients(Shards(), {&all, 1}, parameters, threads);
  return all.loss;
}

template <typename T>
void Net<T>::losses_and_gradients(const Shards& shards, Span<Shard> own, T* parameters, int threads) {
  TWOFOLD_CHECK(own.size() == shards.own, "{} shards of {}", own.size(), shards.own);
  Task task;
  task.parameters = task.running = parameters;
  task.shards = &shards;
  run(task, own, threads);
}

template <typename T>
void Net<T>::gradient(const NetBatch<T>& batch, const T* parameters, const T* doutputs, T* gradient, T* input,
                      int threads) {
  Task task;
  task.parameters = parameters;
  task.doutputs = doutputs;
  task.input = input;
  if (input != nullptr) {
    TWOFOLD_CHECK(batch.parts.size() <= 1 && !batch.has_colors && batch.front.layers == 0,
                  "gradients by rows of several parts");
    if (!batch.parts.empty()) std::fill_n(input, batch.parts[0].num_rows * shape_.stack.in, T{0});
  }
  Shard all{&batch, {}, gradient, {}, 0};
  run(task, {&all, 1}, threads);
}

// The statistics of all parts, or their slopes, become those of the batch: of a shard in the order of its
// parts, then of all shards in theirs.
template <typename T>
void Net<T>::merge_norms(const Task& task, std::size_t norm, bool is_backward, std::size_t num_shards) {
  Workspace& work = *workspace_;
  const bool is_of_front = norm < work.num_front_norms;
  const auto [end, d] = work.norms[norm];
  const std::size_t size = is_backward ? 2 * d : 1 + 2 * d;
  const auto merge = [&, columns = d](const double* more, double* sum) {
    if (!is_backward) return merge_statistics(columns, more, sum);
    for (std::size_t i = 0; i < size; ++i) sum[i] += more[i];
  };
  work.blocks.assign(task.shards->count * size, 0);
  work.block.resize(size);
  for (std::size_t s = 0; s < num_shards; ++s) {
    double* const to = work.blocks.data() + (task.shards->first + s) * size;
    for (std::size_t p = 0; p < (is_of_front ? 1 : work.shards[s].num_parts); ++p) {
      const EndPass<T>& pass = *work.waiting[work.shards[s].first_part + p];
      double* const from = p == 0 ? to : work.block.data();
      is_backward ? pass.get_slopes(from) : pass.get_statistics(from);
      if (p > 0) merge(from, to);
    }
  }
  gather(*task.shards, size, work.blocks);
  double* const sum = work.blocks.data();
  for (std::size_t s = 1; s < task.shards->count; ++s) merge(sum + s * size, sum);
  if (!is_backward) move_running_statistics<T>(*end, d, shape_.norm_momentum, sum, task.running);
  for (EndPass<T>* pass : work.waiting) is_backward ? pass->set_slopes(sum) : pass->set_statistics(sum);
}

template <typename T>
void Net<T>::run(const Task& task, Span<Shard> own, int threads) {
  // Units that are nearly off, as logistic ones far below 0, have slopes of 1e-40: they made a training of the
  // paper's network on TRIANGLE seven times as long (docs/measurements.md).
  const FlushDenormals flush;
  Workspace& work = *workspace_;
  const std::size_t o = shape_.num_outputs;
  const bool goes_back = task.goes_back(), trains = task.trains();
  if (work.shards.size() < own.size()) work.shards.resize(own.size());
  work.parts.clear();
  for (std::size_t s = 0; s < own.size(); ++s) {
    typename Workspace::OfShard& shard = work.shards[s];
    const NetBatch<T>& batch = *own[s].batch;
    TWOFOLD_CHECK(batch.front.layers == 0 || own.size() == 1, "a front in one of {} shards", own.size());
    shard.first_part = work.parts.size();
    shard.num_parts = batch.parts.size();
    for (std::size_t p = 0; p < shard.num_parts; ++p) work.parts.push_back({s, p});
    // What dropout leaves of sparse features.
    shard.table = batch.table;
    TWOFOLD_CHECK(shape_.layer_dropout == 0 || !trains || !batch.has_colors, "rows are dropped, not colors");
    if (trains && shape_.layer_dropout > 0 && shape_.drops_table && shard.table.num_rows > 0) {
      const std::size_t count = shard.table.offsets[shard.table.num_rows];
      shard.table_values.resize(count);
      fill_dropout_mask(shape_.layer_dropout, dropout_key(batch.seed, shard.num_parts), count,
                        shard.table_values.data());
      for (std::size_t i = 0; i < count; ++i) shard.table_values[i] *= shard.table.values[i];
      shard.table.values = shard.table_values.data();
    }
    shard.stack.prepare(shape_.stack, shard.table, task.parameters, goes_back);
    shard.attention.prepare(shape_.attention, shard.table, task.parameters, goes_back);
    shard.readouts.resize(shape_.readouts.size());
    for (std::size_t r = 0; r < shard.readouts.size(); ++r)
      shard.readouts[r].prepare(shape_, r, task.parameters, goes_back, trains, batch.num_graphs, batch.seed);
  }
  const std::size_t num_parts = work.parts.size();
  // Without parts nothing goes on from it.
  const NetFront<T>* const front =
      num_parts == 0 || own[0].batch->front.layers == 0 ? nullptr : &own[0].batch->front;
  const std::size_t front_layers = front == nullptr ? 0 : front->layers;
  if (front_layers != work.front_layers) {
    check_front(shape_, front_layers);
    work.norms = batch_norms(shape_, front_layers);
    std::vector<NormPlace> of_front;
    add_layer_norms(shape_, 0, front_layers, of_front);
    work.num_front_norms = of_front.size();
    work.front_layers = front_layers;
  }
  if (work.filled.size() < num_parts) work.filled.resize(num_parts);
  if (goes_back && work.gradients.size() < num_parts) work.gradients.resize(num_parts);
  work.losses.assign(num_parts, 0);
  const auto size_of = [&](std::size_t p) -> const typename NetBatch<T>::Size& {
    return own[work.parts[p].shard].batch->parts[work.parts[p].number];
  };

  // Where batches are normalized, all parts wait for each other, so all are in memory at once.
  const bool goes_together = trains && !work.norms.empty();
  const int workers = resolve_threads(threads);
  const std::size_t num_arenas = goes_together ? num_parts : static_cast<std::size_t>(workers);
  while (work.arenas.size() < num_arenas) work.arenas.push_back(std::make_unique<Arena>());
  // Large parts first, so that no thread is left with one at the end.
  work.order.resize(num_parts);
  std::iota(work.order.begin(), work.order.end(), 0);
  std::stable_sort(work.order.begin(), work.order.end(),
                   [&](auto a, auto b) { return size_of(a).num_rows > size_of(b).num_rows; });
  // A small batch on colors is done before a second thread has woken up.
  constexpr std::size_t kEnoughItems = 200000;
  const bool is_alone =
      num_parts == 1 && (!own[work.parts[0].shard].batch->has_colors || size_of(0).num_items >= kEnoughItems);

  const auto context_in = [&](Arena& arena) {
    PassContext<T> context;
    context.parameters = task.parameters;
    context.trains = trains;
    context.goes_back = goes_back;
    context.norm_epsilon = shape_.norm_epsilon;
    context.layer_dropout = shape_.layer_dropout;
    context.arena = &arena;
    arena.reset();
    return context;
  };
  std::optional<FrontPass<T>> front_pass;
  if (front != nullptr) {
    PassContext<T> context = context_in(work.front_arena);
    context.threads = front->num_items >= kEnoughItems ? workers : 1;
    const typename Workspace::OfShard& shard = work.shards[0];
    front_pass.emplace(shape_, *front, shard.table, shard.stack, shard.attention, context);
  }
  // Parts are added to the front in the order that one thread goes through them. It can do so while they are
  // near.
  const bool adds_at_once = workers == 1 && !goes_together;
  std::vector<T*> front_gradients(front_pass ? num_parts : 0);
  if (front_pass && work.front_gradients.size() < num_parts) work.front_gradients.resize(num_parts);
  std::vector<std::optional<PartPass<T>>> passes(num_parts);
  const auto start = [&](std::size_t p, std::size_t arena) -> PartPass<T>& {
    const auto [s, number] = work.parts[p];
    const NetBatch<T>& batch = *own[s].batch;
    const typename Workspace::OfShard& shard = work.shards[s];
    batch.fill(number, work.filled[p]);
    PassContext<T> context = context_in(*work.arenas[arena]);
    context.seed = dropout_key(batch.seed, number);
    context.threads = is_alone ? workers : 1;
    return passes[p].emplace(shape_, work.filled[p], batch.parts[number], shard.table, shard.stack,
                             shard.attention, shard.readouts, context, front_layers,
                             front_pass ? &*front_pass : nullptr);
  };
  const auto gradient_of = [&](std::size_t p) {
    PartGradient<T> gradient(shape_, work.shards[work.parts[p].shard].table.num_rows, work.gradients[p].data(),
                             task.input);
    if (front_pass) gradient.set_front(shape_, front_layers, work.filled[p].num_front_rows, front_gradients[p]);
    return gradient;
  };
  // Results of a part that has gone forward, and what it goes back with.
  const auto turn = [&](std::size_t p, Arena& arena) -> const T* {
    const auto [s, number] = work.parts[p];
    const NetBatch<T>& batch = *own[s].batch;
    const PartPass<T>& pass = *passes[p];
    const std::size_t first = batch.parts[number].first_graph, graphs = batch.parts[number].num_graphs;
    give(shape_, batch, number, pass, own[s].result);
    if (!goes_back) return nullptr;
    std::vector<T>& gradient = work.gradients[p];
    gradient.resize(PartGradient<T>::size(shape_, work.shards[s].table.num_rows));
    std::fill_n(gradient.data(), gradient.size(), T{0});
    if (front_pass) {
      const std::size_t size = PartGradient<T>::front_size(shape_, front_layers, work.filled[p].num_front_rows);
      if (adds_at_once) {
        front_gradients[p] = arena.take_zeros<T>(size);
      } else {
        work.front_gradients[p].assign(size, T{0});
        front_gradients[p] = work.front_gradients[p].data();
      }
    }
    if (task.doutputs != nullptr) return task.doutputs + first * o;
    Targets<T> targets = own[s].targets;
    targets.weights += first;
    if (targets.classes != nullptr) targets.classes += first;
    if (targets.values != nullptr) targets.values += first * o;
    T* const doutputs = arena.take<T>(graphs * o);
    work.losses[p] = graph_loss(shape_.loss, graphs, o, pass.outputs(), targets, doutputs);
    return doutputs;
  };

  const auto add_to_front = [&] {
    for (const std::uint32_t p : work.order) front_pass->add(work.filled[p], gradient_of(p));
  };
  if (!goes_together) {
    if (front_pass) TWOFOLD_CHECK(front_pass->forward() == nullptr);
    parallel_for_workers(num_parts, threads, [&](std::size_t i, int worker) {
      const std::size_t p = work.order[i];
      const auto arena = static_cast<std::size_t>(worker);
      PartPass<T>& pass = start(p, arena);
      TWOFOLD_CHECK(pass.forward() == nullptr);
      const T* const doutputs = turn(p, *work.arenas[arena]);
      if (goes_back) TWOFOLD_CHECK(pass.backward(doutputs, gradient_of(p)) == nullptr);
      if (front_pass && goes_back && adds_at_once) front_pass->add(work.filled[p], gradient_of(p));
      passes[p].reset();
    });
    if (front_pass && goes_back) {
      if (!adds_at_once) add_to_front();
      TWOFOLD_CHECK(front_pass->backward(gradient_of(0)) == nullptr);
    }
  } else {
    work.norm_slopes.clear();
    const auto merge_slopes = [&](std::size_t k) {
      merge_norms(task, k, true, own.size());
      work.norm_slopes.insert(work.norm_slopes.begin(), work.blocks.begin(),
                              work.blocks.begin() + static_cast<std::ptrdiff_t>(2 * work.norms[k].d));
    };
    const std::size_t num_front_norms = work.num_front_norms;
    if (front_pass) work.waiting.assign(1, front_pass->forward());
    for (std::size_t k = 0; k < num_front_norms; ++k) {
      merge_norms(task, k, false, own.size());
      work.waiting[0] = front_pass->forward();
    }
    work.waiting.assign(num_parts, nullptr);
    std::vector<const T*> doutputs(num_parts);
    const auto each = [&](const auto& body) {
      parallel_for(num_parts, threads, [&](std::size_t i) { body(work.order[i]); });
    };
    each([&](std::size_t p) { work.waiting[p] = start(p, p).forward(); });
    for (std::size_t k = num_front_norms; k < work.norms.size(); ++k) {
      merge_norms(task, k, false, own.size());
      each([&](std::size_t p) { work.waiting[p] = passes[p]->forward(); });
    }
    each([&](std::size_t p) {
      doutputs[p] = turn(p, *work.arenas[p]);
      work.waiting[p] = passes[p]->backward(doutputs[p], gradient_of(p));
    });
    for (std::size_t k = work.norms.size(); k-- > num_front_norms;) {
      merge_slopes(k);
      each([&](std::size_t p) { work.waiting[p] = passes[p]->backward(doutputs[p], gradient_of(p)); });
    }
    if (front_pass) {
      add_to_front();
      work.waiting.assign(1, front_pass->backward(gradient_of(0)));
    }
    for (std::size_t k = num_front_norms; k-- > 0;) {
      merge_slopes(k);
      work.waiting[0] = front_pass->backward(gradient_of(0));
    }
  }
  if (!goes_back) return;
  for (std::size_t s = 0; s < own.size(); ++s) {
    const typename Workspace::OfShard& shard = work.shards[s];
    own[s].loss = 0;
    for (std::size_t p = 0; p < shard.num_parts; ++p) own[s].loss += work.losses[shard.first_part + p];
    if (own[s].gradient == nullptr) continue;
    std::fill_n(own[s].gradient, shape_.num_parameters, T{0});
    if (shard.num_parts == 0) continue;
    std::vector<T>& sum = work.gradients[shard.first_part];
    for (std::size_t p = 1; p < shard.num_parts; ++p)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += work.gradients[shard.first_part + p][i];
    const PartGradient<T> to = gradient_of(shard.first_part);
    add_label_gradients(shape_.stack, shard.table, to.stack);
    add_label_gradients(shape_.attention, shard.table, to.attention);
    std::copy_n(sum.data(), shape_.num_parameters, own[s].gradient);
  }
  // Once in all.
  if (!goes_together || task.shards->first > 0 || own.size() == 0) return;
  const double* slopes = work.norm_slopes.data();
  for (const auto& [end, d] : work.norms) {
    add_norm_gradient<T>(*end, d, slopes, own[0].gradient);
    slopes += 2 * d;
  }
}

template class Net<float>;
template class Net<double>;

}  // namespace twofold::compute
