#include "twofold/train/model_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "tests/support/learning_sample.h"
#include "tests/support/plain_network.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/record/tensor_file.h"
#include "twofold/train/trained_model.h"

namespace twofold::train {
namespace {

Network sample_network(model::ModelKind kind) {
  Network network;
  network.settings.model = model::plain_options(kind);
  network.settings.model.task = model::TaskKind::kMultiClass;
  network.settings.model.outputs = 3;
  network.settings.model.width = 4;
  const std::vector<Graph> graphs = testing::learning_graphs(1, 4, true);
  network.layout = input_layout(graphs, network.settings.model);
  network.task.kind = model::TaskKind::kMultiClass;
  network.task.outputs = 3;
  network.task.class_weights = {1, 0.1, 2.5};
  network.task.features = attribute_scaling(graphs, std::vector<std::uint32_t>{0, 1, 2, 3});
  if (!model::has_pair_rows(kind)) network.task.features.edge_mean = network.task.features.edge_scale = {};
  network.class_names = {"a", "b\"", "c"};
  network.training = R"({"seed":1})";
  const auto layout = model::parameter_layout(network.settings.model, network.layout.columns());
  const std::vector<double> start = model::initial_parameters(layout, 5);
  network.parameters.assign(start.begin(), start.end());
  return network;
}

TEST(ModelFile, HoldsEverything) {
  for (const model::ModelKind kind : {model::ModelKind::k2WlGnn, model::ModelKind::kGin}) {
    const Network network = sample_network(kind);
    const std::string bytes = encode_network(network);
    const Network read = decode_network(bytes, "m");
    EXPECT_EQ(read.settings.model, network.settings.model);
    EXPECT_TRUE(read.layout.features == network.layout.features);
    EXPECT_EQ(read.parameters, network.parameters);
    EXPECT_EQ(read.class_names, network.class_names);
    EXPECT_EQ(read.task.class_weights, network.task.class_weights);
    EXPECT_EQ(read.task.features.node_mean, network.task.features.node_mean);
    EXPECT_EQ(encode_network(read), bytes);
    EXPECT_EQ(model_format(bytes, "m"), kNetworkFormat);
  }
}

TEST(ModelFile, CutOffAnywhereIsRefused) {
  const std::string bytes = encode_network(sample_network(model::ModelKind::k2Gnn));
  for (std::size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_THROW(decode_network(std::string_view(bytes).substr(0, size), "m"), InputError) << size;
}

// Of 500 bytes changed in a model, 102 were once taken.
TEST(ModelFile, WithAChangedByteIsRefused) {
  const std::string bytes = encode_network(sample_network(model::ModelKind::k2Gnn));
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes;
    char& byte = damaged[random.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 + random.below(255)));
    EXPECT_THROW(decode_network(damaged, "m"), InputError) << i;
  }
}

TEST(ModelFile, OfEarlierVersionsAreRead) {
  // Written by version 1, without checksums. Those of version 2 had one, and the same content.
  for (const char* name : {"gcn.model", "pairs.model"}) {
    const std::string path = std::string(TWOFOLD_SOURCE_DIR) + "/tests/fuzz/seeds/model_file/" + name;
    const Network network = decode_network(read_file(path), path);
    record::TensorFile file = record::decode_tensors(read_file(path), path);
    file.config.replace(file.config.find("\"version\":1"), 11, "\"version\":2");
    EXPECT_EQ(encode_network(decode_network(record::encode_tensors(file), path)), encode_network(network));
    EXPECT_FALSE(network.parameters.empty());
    // What they did not say is as it was then: the pooling of all was given by its key.
    EXPECT_EQ(network.settings.model.pooling, model::Pooling::kWeightedMean) << name;
    EXPECT_EQ(decode_network(encode_network(network), name).settings.model, network.settings.model) << name;
  }
}

TEST(ModelFile, OfVersion1PredictsByItsDefinition) {
  // Files written by version 1: what is said of two graphs is what the plain network makes of their tensors,
  // and as it was when these numbers were written down.
  const auto labeled = [](std::size_t n, const std::vector<Edge>& edges, std::vector<Label> labels) {
    GraphBuilder builder(n);
    for (const Edge edge : edges) builder.add_edge(edge.u, edge.v);
    builder.set_node_labels(std::move(labels));
    return std::move(builder).build();
  };
  Dataset dataset;
  dataset.graphs = {labeled(3, {{0, 1}, {1, 2}}, {0, 1, 0}),
                    labeled(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {0, 1, 1, 0})};
  const std::map<std::string, std::vector<double>> expected = {{"gcn.model", {0.494865972, 0.473137755}},
                                                               {"pairs.model", {0.577322073, 0.576726170}}};
  for (const auto& [name, second_class] : expected) {
    const std::string path = std::string(TWOFOLD_SOURCE_DIR) + "/tests/fuzz/seeds/model_file/" + name;
    const model::Predictions said = predict(read_model(path), dataset, "graphs");
    const Network network = decode_network(read_file(path), path);
    const EncodedDataset data(dataset.graphs, network.settings.model, network.layout);
    const std::vector<double> parameters(network.parameters.begin(), network.parameters.end());
    testing::PlainNetwork plain(data, network.settings.model, parameters);
    const auto outputs = plain.outputs({{0, 1}, 0}, false);
    for (std::size_t g = 0; g < 2; ++g) {
      EXPECT_NEAR(said.scores[2 * g + 1], 1 / (1 + std::exp(-outputs[g][0])), 1e-6) << name;
      EXPECT_NEAR(said.scores[2 * g + 1], second_class[g], 1e-6) << name;
    }
  }
}

TEST(ModelFile, WithoutChecksumIsRefused) {
  std::string bytes = encode_network(sample_network(model::ModelKind::kGin));
  // As long as before: the key is another one, and 32 digits are a text.
  const std::string name = "\"checksum\":";
  bytes.replace(bytes.find(name), name.size(), "\"unknown!\":");
  EXPECT_THROW(decode_network(bytes, "m"), InputError);
}

TEST(ModelFile, WithOtherContentIsRefusedBySayingWhy) {
  const std::string bytes = encode_network(sample_network(model::ModelKind::k2Gnn));
  const auto message = [&](const std::function<void(record::TensorFile&)>& change) {
    record::TensorFile file = record::decode_tensors(bytes, "m");
    change(file);
    try {
      decode_network(record::encode_tensors(file), "my.model");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("it was taken");
  };
  const auto replace = [](const char* what, const char* by) {
    return [=](record::TensorFile& file) {
      const auto at = file.config.find(what);
      ASSERT_NE(at, std::string::npos) << what;
      file.config.replace(at, std::string(what).size(), by);
    };
  };
  EXPECT_EQ(message(replace("twofold network", "another network")),
            "my.model: needed a twofold network, found another file");
  EXPECT_EQ(message(replace("\"version\":3", "\"version\":7")),
            "my.model: needed version 1..3, found version 7");
  EXPECT_NE(message(replace("\"width\":4", "\"width\":5")).find("my.model: needed conv.0.weight of"),
            std::string::npos);
  EXPECT_NE(message(replace("\"width\":4", "\"wodth\":4")).find("found 'wodth'"), std::string::npos);
  EXPECT_EQ(message([](record::TensorFile& file) { file.tensors.pop_back(); }).rfind("my.model: needed", 0),
            0u);
  EXPECT_EQ(message([](record::TensorFile& file) {
              const float nan = std::numeric_limits<float>::quiet_NaN();
              std::memcpy(file.tensors[0].bytes.data(), &nan, sizeof nan);
            }),
            "my.model: needed finite values in conv.0.weight, found nan");
  EXPECT_EQ(message([](record::TensorFile&) {}), "it was taken");
}

TEST(Checkpoint, HoldsEverything) {
  Checkpoint checkpoint;
  checkpoint.config = R"({"lr":0.01})";
  TrainState& state = checkpoint.state;
  state.parameters = {1.5f, -2};
  state.adam.first = {0.1f, 0.2f};
  state.adam.second = {0.3f, 0.4f};
  state.adam.steps = 17;
  state.best_epoch = 1;
  state.best_value = 0.1;
  state.best_parameters = {3, 4};
  state.history.resize(2);
  state.history[1].train_loss = 0.1;
  state.history[1].has_validation = true;
  const std::string bytes = encode_checkpoint(checkpoint);
  const Checkpoint read = decode_checkpoint(bytes, "c");
  EXPECT_EQ(encode_checkpoint(read), bytes);
  EXPECT_EQ(read.state.history[1].train_loss, 0.1);
  EXPECT_EQ(read.state.history[1].epoch, 2);
  EXPECT_EQ(read.state.best_value, 0.1);
  EXPECT_THROW(decode_network(bytes, "c"), InputError);
  // As files of before there was one.
  EXPECT_TRUE(read.state.average.empty());
}

TEST(Checkpoint, HoldsTheAverageInFull) {
  Checkpoint checkpoint;
  TrainState& state = checkpoint.state;
  state.parameters = state.adam.first = state.adam.second = {1, 2};
  state.average = {0.1, 1e-300};
  EXPECT_EQ(decode_checkpoint(encode_checkpoint(checkpoint), "c").state.average, state.average);
  state.average = {0.1, 0.2, 0.3};
  EXPECT_THROW(decode_checkpoint(encode_checkpoint(checkpoint), "c"), InputError);
}

}  // namespace
}  // namespace twofold::train
