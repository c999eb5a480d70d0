#include "twofold/torch/torch_engine.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <unordered_map>
#include <unordered_set>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/torch/graph_model.h"
#include "twofold/train/batch_hash.h"
#include "twofold/train/color_batch.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;

torch::Device parse_device(const model::EngineOptions& options) {
  torch::Device device(torch::kCPU);
  try {
    device = torch::Device(options.device);
  } catch (const c10::Error&) {
    throw UsageError(fmt::format("needed a device such as cpu or cuda, found {}", in_quotes(options.device)));
  }
  if (device.is_cpu()) return device;
  if (options.kind != model::EngineKind::kGatherScatter)
    throw UsageError(
        fmt::format("the engine {} runs on the device cpu only, found {}; gather-scatter runs on any",
                    to_string(options.kind), in_quotes(options.device)));
  try {
    torch::zeros({1}, torch::TensorOptions().device(device));
  } catch (const std::exception&) {
    throw UsageError(fmt::format("this libtorch ({}) has no device {} here", TORCH_VERSION, options.device));
  }
  return device;
}

// Batches that come again (full ones, those of validation) are kept, up to this many values in all.
constexpr std::uint64_t kKeptValues = std::uint64_t{1} << 25;

class TorchEngine : public Engine {
 public:
  TorchEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task,
              const model::EngineOptions& options)
      : data_(data), task_(task), kind_(options.kind), model_(nullptr) {
    at::set_num_threads(1);
    batch_options_.stock = options.kind == model::EngineKind::kGatherScatter;
    batch_options_.device = parse_device(options);
    batch_options_.loops_only = model.loops_only;
    if (kind_ == model::EngineKind::kColors)
      colors_ = std::make_unique<ColorBatcher>(data, model, task.features);
    model_ =
        tensors::GraphModel(model, static_cast<std::int64_t>(data.columns()), torch::kFloat, batch_options_.device);
    model_->threads = options.threads;
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    return guarded([&] {
      load({parameters.data(), parameters.size()});
      model_->train();
      model_->flat_gradient.zero_();
      const tensors::Readout readout = model_->forward(prepared(batch).graphs);
      store(readout.outputs, outputs);
      std::vector<double> targets;
      const std::size_t width = task_.num_targets();
      for (const std::uint32_t g : batch.graphs)
        for (std::size_t c = 0; c < width; ++c) targets.push_back(data_.targets.at(g * width + c));
      std::vector<float> slope(outputs.size());
      const double loss = loss_and_slope(task_, {outputs.data(), outputs.size()}, targets, slope);
      readout.outputs.backward(
          torch::from_blob(slope.data(), readout.outputs.sizes(), torch::kFloat).to(readout.outputs.device()));
      store(model_->flat_gradient, gradient);
      // The running statistics have moved.
      store(model_->flat, parameters);
      return loss;
    });
  }

  void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) override {
    guarded([&] {
      store(evaluate(batch, parameters).outputs, outputs);
      return 0;
    });
  }

  void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) override {
    guarded([&] {
      store(evaluate(batch, parameters).vectors, vectors);
      return 0;
    });
  }

  model::EngineKind kind() const override { return kind_; }

  std::size_t vector_width() const override {
    const model::ModelOptions& o = model_->options;
    if (o.model == model::ModelKind::kGin) return static_cast<std::size_t>(o.width * (o.layers + 1));
    if (o.model == model::ModelKind::kMlp && o.mlp_form == model::MlpForm::kSumOfFeatures)
      return data_.columns();
    return static_cast<std::size_t>(o.head == model::Head::kNone ? o.outputs : o.width);
  }

 private:
  // torch's errors as ours.
  template <typename F>
  auto guarded(const F& body) -> decltype(body()) {
    try {
      return body();
    } catch (const c10::Error& error) {
      if (is_out_of_memory(error)) throw std::bad_alloc();
      throw Error(error.what_without_backtrace());
    }
  }

  void load(Span<const float> parameters) {
    const torch::NoGradGuard guard;
    model_->flat.copy_(torch::from_blob(const_cast<float*>(parameters.data()),
                                        {static_cast<std::int64_t>(parameters.size())}, torch::kFloat));
  }
  static void store(const Tensor& from, Span<float> to) {
    TWOFOLD_CHECK(static_cast<std::size_t>(from.numel()) == to.size(), "{} values for room of {}", from.numel(),
                  to.size());
    const Tensor values = from.detach().to(torch::kCPU, torch::kFloat).contiguous();
    std::copy_n(values.data_ptr<float>(), to.size(), to.data());
  }

  tensors::Readout evaluate(const Batch& batch, Span<const float> parameters) {
    const torch::NoGradGuard guard;
    load(parameters);
    model_->eval();
    return model_->forward(prepared(batch).graphs);
  }

  const TorchBatch& prepared(const Batch& batch) {
    const std::uint64_t hash = hash_of(batch.graphs);
    const auto found = kept_.find(hash);
    if (found != kept_.end() && found->second.first == batch.graphs) {
      found->second.second->graphs.seed = batch.seed;
      return *found->second.second;
    }
    passing_ = colors_ != nullptr ? colors_->make(batch)
                                  : make_torch_batch(data_, batch, task_.features, batch_options_);
    // The first time a batch is only noted: shuffled ones never come again.
    const bool comes_again = !seen_.insert(hash).second;
    if (seen_.size() > 1 << 16) seen_.clear();
    const std::uint64_t values = passing_->num_values();
    if (!comes_again || found != kept_.end() || kept_values_ + values > kKeptValues) return *passing_;
    kept_values_ += values;
    return *kept_.emplace(hash, std::make_pair(batch.graphs, std::move(passing_))).first->second.second;
  }

  const EncodedDataset& data_;
  Objective task_;
  model::EngineKind kind_;
  TorchBatchOptions batch_options_;
  std::unique_ptr<ColorBatcher> colors_;
  tensors::GraphModel model_;
  std::unordered_map<std::uint64_t, std::pair<std::vector<std::uint32_t>, std::unique_ptr<TorchBatch>>> kept_;
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t kept_values_ = 0;
  std::unique_ptr<TorchBatch> passing_;
};

}  // namespace

std::unique_ptr<Engine> make_torch_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                          const Objective& task, const model::EngineOptions& options) {
  return std::make_unique<TorchEngine>(data, model, task, options);
}

void check_device(const model::EngineOptions& options) {
  if (options.device == "cpu") return;
  model::EngineOptions chosen = options;
  if (chosen.kind == model::EngineKind::kAuto) chosen.kind = model::EngineKind::kGatherScatter;
  parse_device(chosen);
}

}  // namespace twofold::tensors
