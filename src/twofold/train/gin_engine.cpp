#include "twofold/train/gin_engine.h"

#include "twofold/train/gin_batch.h"
#include "twofold/train/kept_batches.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

class GinEngine : public Engine {
 public:
  GinEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task)
      : data_(data),
        task_(task),
        batcher_(data, model, task.features),
        net_(gin_net_shape(model, model::parameter_layout(model, data.columns()), task)) {}

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    targets_.fill(task_, data_.targets, batch.graphs);
    return net_.loss_and_gradient(cut(batch), targets_.view(), parameters.data(), gradient.data(),
                                  {outputs.data(), nullptr});
  }
  void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) override {
    net_.outputs(cut(batch), parameters.data(), {outputs.data(), nullptr});
  }
  void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) override {
    net_.outputs(cut(batch), parameters.data(), {nullptr, vectors.data()});
  }
  std::size_t vector_width() const override { return net_.vector_width(); }
  model::EngineKind kind() const override { return model::EngineKind::kColors; }

 private:
  const compute::GinNetBatch<float>& cut(const Batch& batch) {
    GinBatch<float>& made =
        batches_.get(batch.graphs, [&](const auto& graphs, auto& to) { batcher_.fill(graphs, to); });
    made.net.seed = batch.seed;
    return made.net;
  }

  const EncodedDataset& data_;
  Objective task_;
  GinBatcher batcher_;
  compute::GinNet<float> net_;
  KeptBatches<GinBatch<float>> batches_;
  NetTargets targets_;
};

}  // namespace

std::unique_ptr<Engine> make_gin_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task) {
  return std::make_unique<GinEngine>(data, model, task);
}

}  // namespace twofold::train
