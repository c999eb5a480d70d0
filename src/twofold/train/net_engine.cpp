#include "twofold/train/net_engine.h"

#include <cstring>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/net_shape.h"
#include "twofold/train/shard_cut.h"

namespace twofold::train {
namespace {

std::unique_ptr<BatchMaker<float>> make_batch_maker(const EncodedDataset& data,
                                                    const model::ModelOptions& model,
                                                    const compute::NetShape& shape, const Objective& task,
                                                    NetEngineKind kind) {
  if (kind.kind == model::EngineKind::kMixed)
    return make_mixed_batches<float>(data, model, shape, task.features, kind.front_layers);
  return (kind.kind == model::EngineKind::kColors ? make_color_batches<float>
          : data.items.empty()                    ? make_row_batches<float>
                               : make_field_batches<float>)(data, model, shape, task.features);
}

class NetEngine : public Engine {
 public:
  NetEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task,
            NetEngineKind kind, int threads, const Sharding& sharding)
      : data_(data),
        task_(task),
        kind_(kind.kind),
        threads_(threads),
        net_(shape_of(data, model, task)),
        batches_(make_batch_maker(data, model, net_.shape(), task, kind)) {
    if (sharding.shards == 0) return;
    shards_ = compute::Shards(sharding.shards, sharding.group);
    is_sharded_ = true;
    for (std::uint32_t g = 0; g < data.num_graphs(); ++g) costs_.push_back(batches_->cost(g));
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    if (is_sharded_) return sum_of_shards(batch, parameters, gradient, outputs);
    targets_.fill(task_, data_.targets, batch.graphs);
    return net_.loss_and_gradient(batches_->make(batch), targets_.view(), parameters.data(), gradient.data(),
                                  {outputs.data()}, threads_);
  }
  void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) override {
    net_.outputs(batches_->make(batch), parameters.data(), {outputs.data()}, threads_);
  }
  void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) override {
    net_.outputs(batches_->make(batch), parameters.data(), {nullptr, vectors.data()}, threads_);
  }
  std::size_t vector_width() const override { return net_.shape().vector_width(); }
  model::EngineKind kind() const override { return kind_; }
  Group* group() const override { return shards_.group; }

 private:
  // What is needed of one shard while it is computed.
  struct OfShard {
    Batch batch;
    std::vector<std::uint32_t> classes;
    std::vector<float> values;
    std::vector<float> weights;
    std::vector<float> outputs;
  };

  double sum_of_shards(const Batch& batch, Span<float> parameters, Span<float> gradient, Span<float> outputs) {
    targets_.fill(task_, data_.targets, batch.graphs);
    std::vector<std::uint64_t> costs;
    for (const std::uint32_t g : batch.graphs) costs.push_back(costs_[g]);
    const std::vector<std::vector<std::uint32_t>> places = cut_into_shards(costs, shards_.count);
    const std::size_t size = gradient.size(), o = task_.outputs;
    own_.resize(shards_.own);
    gradients_.resize(shards_.own * size);
    std::vector<compute::Net<float>::Shard> own(shards_.own);
    // One after the other, shards need the memory of one. They go together where they have to, and where
    // threads share them.
    const bool one_by_one = resolve_threads(threads_) == 1 && !net_.normalizes_batches();
    for (std::size_t s = 0; s < own.size(); ++s) {
      OfShard& shard = own_[s];
      fill(batch, places[shards_.first + s], shards_.first + s, shard);
      own[s].batch = &batches_->make(shard.batch, one_by_one ? 0 : s);
      own[s].targets = {shard.classes.data(), shard.values.empty() ? nullptr : shard.values.data(),
                        shard.weights.data()};
      own[s].gradient = gradients_.data() + s * size;
      own[s].result.outputs = shard.outputs.data();
      if (one_by_one)
        own[s].loss = net_.loss_and_gradient(*own[s].batch, own[s].targets, parameters.data(), own[s].gradient,
                                             own[s].result, threads_);
    }
    if (!one_by_one) net_.losses_and_gradients(shards_, own, parameters.data(), threads_);
    // Losses, then outputs shard by shard.
    std::string message;
    for (std::size_t s = 0; s < own.size(); ++s) add_bytes(&own[s].loss, 1, message);
    for (const OfShard& shard : own_) add_bytes(shard.outputs.data(), shard.outputs.size(), message);
    const std::vector<std::string> messages =
        compute::sum_shards(shards_, size, gradients_.data(), gradient.data(), message);
    double loss = 0;
    for (std::size_t r = 0; r < messages.size(); ++r) {
      const std::size_t first = shards_.first_of(static_cast<int>(r));
      const std::size_t end =
          shards_.group == nullptr ? shards_.count : shards_.first_of(static_cast<int>(r) + 1);
      const char* from = messages[r].data();
      for (std::size_t s = first; s < end; ++s) {
        double of_shard = 0;
        take_bytes(from, &of_shard, 1);
        loss += of_shard;
      }
      for (std::size_t s = first; s < end; ++s)
        for (const std::uint32_t place : places[s]) take_bytes(from, outputs.data() + place * o, o);
      TWOFOLD_CHECK(from == messages[r].data() + messages[r].size());
    }
    return loss;
  }

  void fill(const Batch& batch, const std::vector<std::uint32_t>& places, std::size_t number,
            OfShard& to) const {
    const std::size_t o = task_.outputs;
    to.batch.graphs.clear();
    to.batch.seed = Random(batch.seed).stream(number).bits();
    to.classes.clear();
    to.values.clear();
    to.weights.clear();
    to.outputs.resize(places.size() * o);
    for (const std::uint32_t place : places) {
      to.batch.graphs.push_back(batch.graphs[place]);
      to.weights.push_back(targets_.weights[place]);
      if (!targets_.classes.empty()) to.classes.push_back(targets_.classes[place]);
      for (std::size_t c = 0; c < o && !targets_.values.empty(); ++c)
        to.values.push_back(targets_.values[place * o + c]);
    }
  }

  template <typename V>
  static void add_bytes(const V* values, std::size_t count, std::string& to) {
    to.append(reinterpret_cast<const char*>(values), count * sizeof(V));
  }
  template <typename V>
  static void take_bytes(const char*& from, V* to, std::size_t count) {
    std::memcpy(to, from, count * sizeof(V));
    from += count * sizeof(V);
  }

  static compute::NetShape shape_of(const EncodedDataset& data, const model::ModelOptions& model,
                                    const Objective& task) {
    compute::NetShape shape =
        net_shape(model, data.columns(), model::parameter_layout(model, data.columns()), task);
    shape.drops_table = data.layout().features.feature_columns > 0;
    return shape;
  }

  const EncodedDataset& data_;
  Objective task_;
  model::EngineKind kind_;
  int threads_;
  compute::Net<float> net_;
  std::unique_ptr<BatchMaker<float>> batches_;
  NetTargets targets_;

  bool is_sharded_ = false;
  compute::Shards shards_;
  std::vector<std::uint64_t> costs_;  // per graph
  std::vector<OfShard> own_;
  std::vector<float> gradients_;
};

}  // namespace

std::unique_ptr<Engine> make_net_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, NetEngineKind kind, int threads,
                                        const Sharding& sharding) {
  return std::make_unique<NetEngine>(data, model, task, kind, threads, sharding);
}

}  // namespace twofold::train
