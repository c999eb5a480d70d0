#include "twofold/train/net_engine.h"

#include "twofold/compute/net.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

class NetEngine : public Engine {
 public:
  NetEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task, bool on_colors,
            int threads)
      : data_(data),
        task_(task),
        on_colors_(on_colors),
        threads_(threads),
        net_(shape_of(data, model, task)),
        batches_((on_colors            ? make_color_batches<float>
                  : data.items.empty() ? make_row_batches<float>
                                       : make_field_batches<float>)(data, model, net_.shape(), task.features)) {
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
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
  model::EngineKind kind() const override {
    return on_colors_ ? model::EngineKind::kColors : model::EngineKind::kFused;
  }

 private:
  static compute::NetShape shape_of(const EncodedDataset& data, const model::ModelOptions& model,
                                    const Objective& task) {
    compute::NetShape shape =
        net_shape(model, data.columns(), model::parameter_layout(model, data.columns()), task);
    shape.drops_table = data.layout().features.feature_columns > 0;
    return shape;
  }

  const EncodedDataset& data_;
  Objective task_;
  bool on_colors_;
  int threads_;
  compute::Net<float> net_;
  std::unique_ptr<BatchMaker<float>> batches_;
  NetTargets targets_;
};

}  // namespace

std::unique_ptr<Engine> make_net_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, bool on_colors, int threads) {
  return std::make_unique<NetEngine>(data, model, task, on_colors, threads);
}

}  // namespace twofold::train
