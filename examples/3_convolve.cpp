// Two layers of the 2-WL convolution on a hexagon and on two triangles, which no 1-WL network can tell apart.
#include <torch/torch.h>

#include <iostream>

#include "twofold/graph/graph_builder.h"
#include "twofold/pairs/pair_features.h"
#include "twofold/torch/pair_conv.h"

int main() {
  using namespace twofold;

  const auto cycles = [](const std::vector<std::vector<Node>>& rings) {
    GraphBuilder builder(6);
    for (const std::vector<Node>& ring : rings)
      for (std::size_t k = 0; k < ring.size(); ++k) builder.add_edge(ring[k], ring[(k + 1) % ring.size()]);
    return std::move(builder).build();
  };
  const std::vector<Graph> graphs = {cycles({{0, 1, 2, 3, 4, 5}}), cycles({{0, 1, 2}, {3, 4, 5}})};

  // Encode once, put together a batch (which copies nothing), cut it into work.
  const std::vector<pairs::PairSet> sets = pairs::encode_pairs(graphs, pairs::Radius(1));
  const pairs::PairBatch batch = pairs::make_batch(sets);
  const auto plan = std::make_shared<compute::PairPlan>(compute::make_plan(batch));

  const pairs::FeatureLayout layout = pairs::feature_layout(graphs);
  const auto columns = static_cast<std::int64_t>(layout.columns());
  const torch::Tensor z = torch::empty({static_cast<std::int64_t>(batch.num_rows()), columns});
  for (std::size_t g = 0; g < graphs.size(); ++g)
    pairs::write_features(graphs[g], sets[g], layout,
                          z.data_ptr<float>() + batch.row_offsets[g] * layout.columns());

  torch::manual_seed(1);
  tensors::PairConvStack stack(
      tensors::PairConvStackOptions(columns, {16, 1}).inner_activation(compute::Activation::kRelu));
  std::cout << stack << '\n';
  const torch::Tensor y = stack->forward(z, plan);
  y.sum().backward();  // gradients of all parameters
  for (std::size_t g = 0; g < graphs.size(); ++g)
    std::cout << "graph " << g << ": mean of its rows "
              << y.slice(0, static_cast<std::int64_t>(batch.row_offsets[g]),
                         static_cast<std::int64_t>(batch.row_offsets[g + 1]))
                     .mean()
                     .item<float>()
              << '\n';
}
