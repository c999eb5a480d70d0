// The networks that tell pairs apart (wl/random_net.h) are the networks that learn: the same layer, torch's
// way.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/pairs/pair_set.h"
#include "twofold/torch/gather_scatter.h"
#include "twofold/wl/random_net.h"

namespace twofold {
namespace {

torch::Tensor matrix(const std::vector<double>& values, std::size_t columns) {
  return torch::tensor(values, torch::kDouble).view({-1, static_cast<std::int64_t>(columns)});
}

TEST(RandomNetLayer, IsThePairConvolution) {
  Random random(1);
  const std::size_t width = 6;
  for (int trial = 0; trial < 20; ++trial) {
    const Graph g = testing::random_graph(random, 1 + random.below(9), 0.4);
    wl::WlTest twin = wl::parse_net("2-wl-gnn");
    twin.radius = 1 + static_cast<int>(random.below(3));
    const auto objects = wl::make_objects(g, twin);
    std::vector<double> from(objects->size() * width);
    for (double& value : from) value = 2 * random.uniform() - 1;
    const wl::NetLayer layer = wl::random_layer(twin.kind, width, 9, random.bits());
    const torch::Tensor found = matrix(wl::apply_layer(*objects, twin.kind, layer, from), width);

    const pairs::PairSet set = pairs::encode_pairs(g, twin.radius);
    // The rows of the test come by (i, j), those of a set loops first.
    const std::vector<Edge> rows = wl::list_rows(g, twin.radius);
    std::vector<std::int64_t> row_of_set(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      row_of_set[set.find_row(rows[i].u, rows[i].v)] = static_cast<std::int64_t>(i);
    const torch::Tensor order = torch::tensor(row_of_set, torch::kLong);
    tensors::PairConvArgs args;
    args.weight =
        torch::cat({matrix(layer.weight, width), matrix(layer.factor, width), matrix(layer.inner, width)}, 1);
    args.bias = torch::tensor(layer.bias, torch::kDouble);
    args.inner_bias = torch::tensor(layer.inner_bias, torch::kDouble);
    args.activation = tensors::Activation::kTanh;
    args.inner_activation = tensors::Activation::kLogistic;
    const std::vector<const pairs::PairSet*> sets = {&set};
    const torch::Tensor expected =
        tensors::pair_conv_gather_scatter(matrix(from, width).index_select(0, order),
                                          tensors::make_reference_tensors(pairs::make_batch(sets)), args);
    EXPECT_LE((expected - found.index_select(0, order)).abs().max().item<double>(), 1e-12);
  }
}

}  // namespace
}  // namespace twofold
