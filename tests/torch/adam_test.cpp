#include "twofold/train/adam.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace twofold::train {
namespace {

TEST(Adam, TakesTheStepsOfTorch) {
  for (const double decay : {0.0, 0.1}) {
    torch::Tensor p = torch::tensor({1.0f, -2.0f, 0.5f}).requires_grad_(true);
    torch::optim::Adam torch_adam(std::vector<torch::Tensor>{p},
                                  torch::optim::AdamOptions(0.03).weight_decay(decay));
    std::vector<float> ours = {1.0f, -2.0f, 0.5f};
    model::AdamOptions options;
    options.weight_decay = decay;
    AdamState state;
    for (int step = 1; step <= 20; ++step) {
      std::vector<float> g = {0.1f * static_cast<float>(step), -1.0f, step == 3 ? 5.0f : 0.01f};
      p.mutable_grad() = torch::tensor(g);
      torch_adam.step();
      adam_step(ours, g, 3, 0.03, options, state);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(ours[static_cast<std::size_t>(i)], p[i].item<float>(), 2e-6) << step;
    }
  }
}

}  // namespace
}  // namespace twofold::train
