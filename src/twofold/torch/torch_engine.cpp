#include "twofold/torch/torch_engine.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <unordered_map>
#include <unordered_set>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/torch/graph_batch.h"
#include "twofold/torch/graph_model.h"
#include "twofold/train/batch_hash.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;
using train::Batch;
using train::EncodedDataset;
using train::Objective;

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

// Batches that come again (full ones, those of validation) are kept, up to this many bytes in all.
constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 27;

class TorchEngine : public train::Engine {
 public:
  TorchEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task,
              const model::EngineOptions& options)
      : data_(data),
        task_(task),
        type_(torch::TensorOptions().dtype(torch::kFloat).device(parse_device(options))),
        model_(model, static_cast<std::int64_t>(data.columns()), torch::kFloat, type_.device()) {
    at::set_num_threads(1);
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    return guarded([&] {
      load({parameters.data(), parameters.size()});
      model_->train();
      model_->flat_gradient.zero_();
      const Readout readout = model_->forward(prepared(batch));
      store(readout.outputs, outputs);
      std::vector<double> targets;
      const std::size_t width = task_.num_targets();
      for (const std::uint32_t g : batch.graphs)
        for (std::size_t c = 0; c < width; ++c) targets.push_back(data_.targets.at(g * width + c));
      std::vector<float> slope(outputs.size());
      const double loss = train::loss_and_slope(task_, {outputs.data(), outputs.size()}, targets, slope);
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

  model::EngineKind kind() const override { return model::EngineKind::kGatherScatter; }

  std::size_t vector_width() const override {
    const model::ModelOptions& o = model_->options;
    const std::size_t poolings = model::all_poolings(o).size() * (o.pool_by_kind ? 3 : 1);
    if (o.model == model::ModelKind::kMlp && o.mlp_form == model::MlpForm::kSumOfFeatures)
      return data_.columns() * poolings;
    if (o.head == model::Head::kNone) return static_cast<std::size_t>(o.outputs);
    const int readouts = o.model == model::ModelKind::kGin   ? o.layers + 1
                         : o.readout == model::Readout::kAll ? o.layers
                                                             : 1;
    return static_cast<std::size_t>(o.width * readouts) * poolings;
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

  Readout evaluate(const Batch& batch, Span<const float> parameters) {
    const torch::NoGradGuard guard;
    load(parameters);
    model_->eval();
    return model_->forward(prepared(batch));
  }

  const GraphBatch& prepared(const Batch& batch) {
    const std::uint64_t hash = train::hash_of(batch.graphs);
    const auto found = kept_.find(hash);
    if (found != kept_.end() && found->second.first == batch.graphs) {
      found->second.second.seed = batch.seed;
      return found->second.second;
    }
    passing_ = make_graph_batch(data_, batch, model_->options, task_.features, type_);
    // The first time a batch is only noted: shuffled ones never come again.
    const bool comes_again = !seen_.insert(hash).second;
    if (seen_.size() > 1 << 16) seen_.clear();
    const std::uint64_t bytes = passing_.num_bytes();
    if (!comes_again || found != kept_.end() || kept_bytes_ + bytes > kKeptBytes) return passing_;
    kept_bytes_ += bytes;
    return kept_.emplace(hash, std::make_pair(batch.graphs, passing_)).first->second.second;
  }

  const EncodedDataset& data_;
  Objective task_;
  torch::TensorOptions type_;
  GraphModel model_;
  std::unordered_map<std::uint64_t, std::pair<std::vector<std::uint32_t>, GraphBatch>> kept_;
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t kept_bytes_ = 0;
  GraphBatch passing_;
};

std::string blas_in_use() {
  // Asked by name: no header of it need be there.
  if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config")) return reinterpret_cast<char* (*)()>(config)();
  Dl_info where{};
  void* product = dlsym(RTLD_DEFAULT, "sgemm_");
  if (product != nullptr && dladdr(product, &where) != 0) {
    const std::string file = where.dli_fname;
    return "not OpenBLAS: " + file.substr(file.rfind('/') + 1);
  }
  return "none";
}

model::Libraries torch_libraries() {
  // `OpenBLAS 0.3.21 NO_LAPACKE … MAX_THREADS=64`: what follows the version tells of the machine.
  std::string blas = blas_in_use();
  if (const std::size_t name = blas.find(' '); name != std::string::npos && blas.rfind("OpenBLAS", 0) == 0)
    blas = blas.substr(0, blas.find(' ', name + 1));
  return {{"libtorch", TORCH_VERSION}, {"blas", blas}};
}

}  // namespace

std::unique_ptr<train::Engine> make_torch_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                                 const Objective& task, const model::EngineOptions& options) {
  return std::make_unique<TorchEngine>(data, model, task, options);
}

void install_torch_engine() {
  train::TensorEngine engine;
  engine.make = make_torch_engine;
  engine.check_device = [](const model::EngineOptions& options) { parse_device(options); };
  engine.libraries = torch_libraries;
  train::install_tensor_engine(engine);
}

}  // namespace twofold::tensors
