#include "twofold/train/graph_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"
#include "twofold/graph/checksum.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/model/model_table.h"
#include "twofold/train/training.h"

namespace twofold::train {
namespace {

// Hands out copies of a dataset's graphs, which are gone afterwards.
class CopiedBlocks : public GraphBlocks {
 public:
  CopiedBlocks(const Dataset& dataset, std::size_t size) : dataset_(dataset), size_(size) {}
  std::size_t num_graphs() const override { return dataset_.graphs.size(); }
  std::uint64_t memory() const override { return std::uint64_t{1} << 30; }
  void visit(const std::function<bool(const Dataset& block, std::size_t first)>& visit) override {
    for (std::size_t begin = 0; begin < num_graphs(); begin += size_) {
      Dataset block;
      for (std::size_t g = begin; g < std::min(begin + size_, num_graphs()); ++g) {
        block.graphs.push_back(dataset_.graphs[g]);
        if (dataset_.has_classes()) block.class_of.push_back(dataset_.class_of[g]);
        for (std::size_t c = 0; c < dataset_.num_real_targets; ++c)
          block.real_targets.push_back(dataset_.real_targets[g * dataset_.num_real_targets + c]);
      }
      if (!visit(block, begin)) return;
    }
  }

 private:
  const Dataset& dataset_;
  std::size_t size_;
};

Dataset without_graphs(const Dataset& dataset) {
  Dataset empty = dataset;
  empty.graphs.clear();
  empty.class_of.clear();
  empty.real_targets.clear();
  return empty;
}

Dataset random_dataset(Label labels) {
  Random random(3);
  Dataset dataset;
  std::vector<std::string> classes;
  for (int g = 0; g < 60; ++g) {
    dataset.graphs.push_back(testing::random_graph(random, random.below(12), 0.3, labels));
    classes.push_back(g % 3 == 0 ? "a" : "b");
  }
  dataset.set_classes(classes);
  return dataset;
}

TEST(GraphBlocks, AreSummarizedAsTheDataset) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    Dataset dataset = testing::rich_dataset(seed);
    CopiedBlocks blocks(dataset, 3);
    const BlockSummary summary = summarize(blocks, without_graphs(dataset));
    EXPECT_EQ(summary.checksum, checksum(dataset));
    for (const model::ModelKind kind : {model::ModelKind::kGin, model::ModelKind::k2WlGnn}) {
      const model::ModelOptions options = model::plain_options(kind);
      EXPECT_TRUE(input_layout(summary.known, options).features ==
                  input_layout(dataset.graphs, options).features);
    }
    Dataset targets = summary.targets;
    targets.graphs = dataset.graphs;
    EXPECT_TRUE(targets == dataset);
  }
}

// Outputs and gradient of a network that was just begun.
std::vector<float> first_step(Training& training) {
  std::vector<std::uint32_t> all(training.data->num_items());
  std::iota(all.begin(), all.end(), 0u);
  TrainState state = initial_state(training.layout, 7);
  std::vector<float> outputs(all.size() * training.network.task.outputs), gradient(state.parameters.size());
  training.engine->loss_and_gradient({all}, state.parameters, gradient, outputs);
  outputs.insert(outputs.end(), gradient.begin(), gradient.end());
  return outputs;
}

TEST(GraphBlocks, TrainANetworkAsTheirGraphsDoBitByBit) {
  const struct {
    const char* model;
    bool degrees;
  } cases[] = {{"2-wl-gnn", false}, {"2-gnn", false}, {"gin", false}, {"gin", true},
               {"gcn", false},      {"sage", false},  {"mlp", false}};
  for (const auto& one : cases) {
    const Dataset dataset = random_dataset(one.degrees ? 0 : 3);
    const model::Targets targets(dataset, {});
    const model::Model& model = model::find_model(one.model);
    model::LearnSettings settings = model::settings_of(model, model::fallback_config(model));
    settings.model.degree_features = one.degrees;
    settings.engine.kind = model::EngineKind::kColors;
    std::vector<std::uint32_t> train(40);
    std::iota(train.begin(), train.end(), 0u);
    EncodeLimits limits;
    limits.threads = 1;
    Training whole = prepare_training(settings, dataset, targets, train, limits);
    CopiedBlocks blocks(dataset, 7);
    const BlockSummary summary = summarize(blocks, without_graphs(dataset));
    const model::Targets targets_alone(summary.targets, {});
    settings.engine.kind = model::EngineKind::kAuto;
    Training parts = prepare_training(settings, blocks, summary, targets_alone, train, limits);
    EXPECT_EQ(parts.engine->kind(), model::EngineKind::kColors);
    EXPECT_EQ(parts.data->num_rows(), whole.data->num_rows());
    EXPECT_TRUE(parts.network.layout.features == whole.network.layout.features);
    EXPECT_EQ(first_step(parts), first_step(whole)) << one.model;
  }
}

std::string refusal(const Dataset& dataset, const std::string& name,
                    const std::function<void(model::LearnSettings&)>& change) {
  const model::Model& model = model::find_model(name);
  model::LearnSettings settings = model::settings_of(model, model::fallback_config(model));
  change(settings);
  CopiedBlocks blocks(dataset, 7);
  const BlockSummary summary = summarize(blocks, without_graphs(dataset));
  try {
    prepare_training(settings, blocks, summary, model::Targets(summary.targets, {}),
                     std::vector<std::uint32_t>{0, 1, 2, 3});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GraphBlocks, RefuseWhatNeedsRowsWithNeedAndLimit) {
  const Dataset labeled = random_dataset(2);
  Dataset attributed = labeled;
  for (Graph& g : attributed.graphs) {
    GraphBuilder builder(g.num_nodes());
    builder.set_node_attributes(1, std::vector<double>(g.num_nodes(), 0.5));
    g = std::move(builder).build();
  }
  const auto nothing = [](model::LearnSettings&) {};
  for (const std::string& words :
       {refusal(attributed, "mlp", nothing), refusal(attributed, "gin", nothing),
        refusal(labeled, "gin", [](model::LearnSettings& settings) { settings.model.marks = 1; }),
        refusal(labeled, "gin", [](model::LearnSettings& settings) { settings.model.layer_dropout = 0.5; })}) {
    EXPECT_NE(words.find("is trained on rows, which need all graphs: needed about 1.00 GiB"), std::string::npos)
        << words;
    EXPECT_NE(words.find("(--max-memory)"), std::string::npos) << words;
  }
  const std::string fused = refusal(
      labeled, "gin", [](model::LearnSettings& settings) { settings.engine.kind = model::EngineKind::kFused; });
  EXPECT_NE(fused.find("needed --engine auto or colors"), std::string::npos) << fused;
}

}  // namespace
}  // namespace twofold::train
