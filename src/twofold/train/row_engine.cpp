#include "twofold/train/row_engine.h"

#include "twofold/compute/pair_net.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

// What a graph's rows begin with.
struct GraphInput {
  std::vector<std::uint32_t> labels;
  std::vector<float> node_attributes;
  std::vector<std::uint32_t> edge_rows;
  std::vector<float> edge_attributes;
};

void append_scaled(Span<const double> values, const std::vector<double>& mean, const std::vector<double>& scale,
                   std::vector<float>& out) {
  for (std::size_t c = 0; c < values.size(); ++c)
    out.push_back(static_cast<float>(mean.empty() ? values[c] : (values[c] - mean[c]) / scale[c]));
}

class RowEngine : public Engine {
 public:
  RowEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task, int threads)
      : data_(data),
        task_(task),
        threads_(threads),
        net_(pair_net_shape(model, data.columns(), model::parameter_layout(model, data.columns()), task)) {
    const std::vector<float> rows = pairs::label_features<float>(data.layout().features);
    for (std::size_t at = 0; at < rows.size(); at += data.columns())
      table_.add({rows.data() + at, data.columns()});
    if (data.is_streamed()) return;
    for (std::uint32_t g = 0; g < data.num_graphs(); ++g) {
      const std::vector<std::uint32_t> number = {g};
      const PairSlice slice = data.pair_sets(number);
      kept_.push_back(input_of(g, *slice.sets[0]));
    }
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    make_batch(batch.graphs);
    targets_.fill(task_, data_.targets, batch.graphs);
    return net_.loss_and_gradient(batch_, targets_.view(), parameters.data(), gradient.data(),
                                  {outputs.data(), nullptr}, threads_);
  }
  void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) override {
    make_batch(batch.graphs);
    net_.outputs(batch_, parameters.data(), {outputs.data(), nullptr}, threads_);
  }
  void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) override {
    make_batch(batch.graphs);
    net_.outputs(batch_, parameters.data(), {nullptr, vectors.data()}, threads_);
  }
  std::size_t vector_width() const override { return net_.shape().stack.layers.back().width; }
  model::EngineKind kind() const override { return model::EngineKind::kFused; }

 private:
  GraphInput input_of(std::uint32_t number, const pairs::PairSet& set) const {
    const Graph& g = data_.graphs()[number];
    const pairs::FeatureLayout& layout = data_.layout().features;
    const FeatureScaling& scaling = task_.features;
    GraphInput input;
    input.labels = pairs::row_labels(g, set, layout);
    if (layout.node_attributes > 0)
      for (std::size_t v = 0; v < g.num_nodes(); ++v)
        append_scaled(g.node_attributes(static_cast<Node>(v)), scaling.node_mean, scaling.node_scale,
                      input.node_attributes);
    if (layout.edge_attributes == 0) return input;
    // Rows of edges come in the order of the edges' numbers.
    std::size_t edge = 0;
    for (std::size_t row = g.num_nodes(); row < set.num_rows(); ++row) {
      if (set.kind[row] != pairs::RowKind::kEdge) continue;
      input.edge_rows.push_back(static_cast<std::uint32_t>(row));
      append_scaled(g.edge_attributes(edge++), scaling.edge_mean, scaling.edge_scale, input.edge_attributes);
    }
    return input;
  }

  void make_batch(const std::vector<std::uint32_t>& graphs) {
    const pairs::FeatureLayout& layout = data_.layout().features;
    batch_.table = table_.view();
    batch_.node_attribute_column = 3 * layout.indicators + layout.node_labels.size();
    batch_.node_attributes = layout.node_attributes;
    batch_.edge_attribute_column =
        batch_.node_attribute_column + layout.node_attributes + layout.edge_labels.size();
    batch_.edge_attributes = layout.edge_attributes;
    batch_.graphs.clear();
    slice_ = data_.pair_sets(graphs);
    made_.clear();
    if (kept_.empty())
      for (std::size_t i = 0; i < graphs.size(); ++i) made_.push_back(input_of(graphs[i], *slice_.sets[i]));
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      const GraphInput& input = kept_.empty() ? made_[i] : kept_[graphs[i]];
      batch_.graphs.push_back({slice_.sets[i], input.labels.data(), input.node_attributes.data(),
                               input.edge_rows.data(), input.edge_rows.size(), input.edge_attributes.data()});
    }
  }

  const EncodedDataset& data_;
  Objective task_;
  int threads_;
  compute::PairNet<float> net_;
  SparseTable table_;
  // One a graph; none if the data is streamed.
  std::vector<GraphInput> kept_;

  // Of the batch at hand.
  PairSlice slice_;
  std::vector<GraphInput> made_;
  NetTargets targets_;
  compute::PairNetBatch<float> batch_;
};

}  // namespace

std::unique_ptr<Engine> make_row_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, int threads) {
  return std::make_unique<RowEngine>(data, model, task, threads);
}

}  // namespace twofold::train
