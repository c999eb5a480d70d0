#include "twofold/eval/grid.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_oracle.h"
#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

Grid grid_of(const std::string& model, const std::string& preset, const std::string& dataset = "",
             Overrides overrides = {}, const std::string& file = "") {
  GridRequest request;
  request.model = model;
  request.preset = preset;
  request.dataset = dataset;
  request.overrides = std::move(overrides);
  request.file_text = file;
  if (!file.empty()) request.file_name = "g.toml";
  return make_grid(request);
}

std::string message_of(const std::string& file, const std::string& model = "wl-st") {
  try {
    grid_of(model, "default", "", {}, file);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Grid, OfEveryModelAndPresetResolvesEveryOption) {
  for (const model::Model& model : model::models())
    for (const std::string& preset : preset_names())
      for (const char* dataset : {"", "TRIANGLE", "NCI1", "IMDB-BINARY", "REDDIT-BINARY", "DD"}) {
        const Grid grid = grid_of(model.name, preset, dataset);
        ASSERT_FALSE(grid.empty());
        EXPECT_TRUE((preset != "quick" && preset != "paper-quick") || grid.size() == 1u) << model.name;
        std::set<std::string> texts;
        for (const model::Config& config : grid) {
          EXPECT_EQ(config.size(), model.options.size());
          EXPECT_TRUE(texts.insert(config.dump()).second);
          for (const model::ModelOption& option : model.options) {
            model::Config value = config.at(option.name);
            EXPECT_TRUE(fits(option, value)) << model.name << " " << option.name;
          }
        }
      }
}

TEST(Grid, QuickAndDefaultAreOthersForNodesOfOneGraphAndForEdges) {
  EXPECT_EQ(preset_for("quick", LearntFrom::kGraphs), "quick");
  EXPECT_EQ(preset_for("default", LearntFrom::kGraphs), "default");
  EXPECT_EQ(preset_for("quick", LearntFrom::kNodesOfOneGraph), "nodes-quick");
  EXPECT_EQ(preset_for("default", LearntFrom::kNodesOfOneGraph), "nodes");
  EXPECT_EQ(preset_for("quick", LearntFrom::kHeldOutEdges), "links-quick");
  EXPECT_EQ(preset_for("default", LearntFrom::kHeldOutEdges), "links");
  EXPECT_EQ(preset_for("paper", LearntFrom::kNodesOfOneGraph), "paper");
  for (const model::Model& model : model::models()) {
    if (!model.is_network) continue;
    EXPECT_EQ(grid_of(model.name, "nodes-quick").size(), 1u) << model.name;
    EXPECT_EQ(grid_of(model.name, "links-quick").size(), 1u) << model.name;
    EXPECT_GT(grid_of(model.name, "nodes").size(), 0u) << model.name;
  }
  // As Kipf and Welling trained it.
  EXPECT_EQ(options_text(model::find_model("gcn"), grid_of("gcn", "nodes-quick")[0]),
            "--layers 2 --width 16 --pooling mean --head none --jumping-knowledge false --layer-dropout 0.5 "
            "--epochs 200 --patience 0 --stop-on metric+loss --lr 0.01 --weight-decay 0.0005");
}

// The figures of quick in the docs, and what a plain training is to do, are of these values.
TEST(Grid, WhatPairNetworksDoByDefaultIsThePresetQuick) {
  for (const char* name : {"2-wl-gnn", "2-gnn"}) {
    const model::Config quick = grid_of(name, "quick")[0];
    EXPECT_EQ(quick.dump(), model::fallback_config(model::find_model(name)).dump()) << name;
    const bool is_2wl = std::string(name) == "2-wl-gnn";
    model::Config recipe = {
        {"layers", is_2wl ? 4 : 3},  {"width", 32},     {"activation", "tanh"}, {"norm", "batch"},
        {"pooling", "mean+max"},     {"lr", 0.003},     {"warmup", 5.0},        {"epochs", 200},
        {"jumping-knowledge", true}, {"patience", 200}, {"schedule", "cosine"}};
    if (is_2wl) recipe.update({{"radius", 1}, {"gate", "bounded"}, {"inner-activation", "relu"}});
    for (const auto& item : recipe.items()) EXPECT_EQ(quick.at(item.key()), item.value()) << name << item.key();
  }
}

TEST(Grid, WithoutAHeadNoPoolingIsJoinedByItself) {
  for (const char* preset : {"", "quick"}) {
    const model::Config config = grid_of("2-wl-gnn", preset, "", {{"head", {"none"}}})[0];
    EXPECT_EQ(config.at("pooling"), "mean") << preset;
  }
  EXPECT_EQ(grid_of("2-wl-gnn", "", "", {{"head", {"none"}}, {"pooling", {"max"}}})[0].at("pooling"), "max");
}

// Whatever the defaults become: these are the paper's.
TEST(Grid, PresetsOfThePaperHaveItsLayersAndItsConstantRate) {
  for (const char* preset : {"paper", "paper-text", "paper-quick"})
    for (const char* name : {"2-wl-gnn", "2-gnn"})
      for (const char* dataset : {"", "TRIANGLE", "NCI1"})
        for (const model::Config& config : grid_of(name, preset, dataset)) {
          EXPECT_EQ(config.value("gate", "linear"), "linear") << preset << " " << name;
          for (const char* norm : {"norm", "sum-norm", "pool-norm"})
            EXPECT_EQ(config.at(norm), "none") << preset << " " << name << " " << norm;
          EXPECT_EQ(config.at("residual"), false) << preset << " " << name;
          EXPECT_EQ(config.at("schedule"), "constant") << preset << " " << name;
          EXPECT_EQ(config.at("warmup"), 0.0) << preset << " " << name;
        }
}

TEST(Grid, HasThePapersSizes) {
  EXPECT_EQ(grid_of("2-wl-gnn", "paper", "NCI1").size(), 24u);
  EXPECT_EQ(grid_of("2-wl-gnn", "paper", "TRIANGLE").size(), 6u);
  EXPECT_EQ(grid_of("2-gnn", "paper", "IMDB-BINARY").size(), 24u);
  EXPECT_EQ(grid_of("2-gnn", "paper", "TRIANGLE").size(), 6u);
  EXPECT_EQ(grid_of("gin", "paper", "NCI1").size(), 64u);
  EXPECT_EQ(grid_of("mlp", "paper", "NCI1").size(), 108u);
  EXPECT_EQ(grid_of("mlp", "paper", "PROTEINS_full").size(), 54u);
  EXPECT_EQ(grid_of("mlp", "paper", "IMDB-BINARY").size(), 108u);
  EXPECT_EQ(grid_of("mlp", "paper", "REDDIT-BINARY").size(), 24u);
  EXPECT_EQ(grid_of("mlp", "paper", "TRIANGLE").size(), 16u);
  EXPECT_EQ(grid_of("wl-st", "paper", "NCI1").size(), 5u);
  EXPECT_EQ(grid_of("2-wl-gnn", "paper-text", "NCI1").size(), 12u);
}

TEST(Grid, OfThePaperFollowsDatasetAndPooling) {
  const model::Config nci1 = grid_of("2-wl-gnn", "paper", "NCI1")[0];
  EXPECT_EQ(nci1.at("radius"), 8);
  EXPECT_EQ(nci1.at("layers"), 2);
  EXPECT_EQ(nci1.at("inner-activation"), "logistic");
  EXPECT_EQ(grid_of("2-wl-gnn", "paper", "NCI1", {{"pooling", {"mean"}}})[0].at("layers"), 1);
  const model::Config triangle = grid_of("2-wl-gnn", "paper", "TRIANGLE", {{"pooling", {"mean"}}})[0];
  EXPECT_EQ(triangle.at("layers"), 3);
  EXPECT_EQ(triangle.at("inner-activation"), "relu");
  EXPECT_EQ(triangle.at("activation"), "logistic");
  EXPECT_EQ(triangle.at("batch"), 228);
  EXPECT_EQ(grid_of("2-wl-gnn", "paper-text", "TRIANGLE")[0].at("activation"), "relu");
}

TEST(Grid, IsReplacedByFileAndCommandLine) {
  const std::string file = "[wl-st]\niterations = [4, 2]\npenalty = 1\nnormalize = false\n";
  const Grid grid = grid_of("wl-st", "default", "", {}, file);
  ASSERT_EQ(grid.size(), 2u);
  EXPECT_EQ(grid[0].at("iterations"), 4);
  EXPECT_EQ(grid[0].at("penalty"), 1.0);
  EXPECT_TRUE(grid[0].at("penalty").is_number_float());
  EXPECT_EQ(grid_of("wl-st", "default", "", {{"iterations", {7}}}, file)[0].at("iterations"), 7);
  EXPECT_EQ(grid_of("2-wl-gnn", "paper", "NCI1", {{"radius", {"all"}}, {"layers", {1, 2, 3}}}).size(), 36u);
}

TEST(Grid, VariesTogetherWhatBelongsTogether) {
  const Grid grid =
      grid_of("gin", "quick", "", {}, "[gin]\ntogether = [{layers=1, width=8}, {layers=5, width=64}]\n");
  ASSERT_EQ(grid.size(), 2u);
  EXPECT_EQ(grid[0].at("layers"), 1);
  EXPECT_EQ(grid[0].at("width"), 8);
  EXPECT_EQ(grid[1].at("layers"), 5);
  EXPECT_EQ(grid[1].at("width"), 64);
  // An option that the command line fixes no longer takes part.
  EXPECT_EQ(grid_of("gin", "paper", "NCI1", {{"layers", {4}}}).size(), 32u);
}

TEST(Grid, VariesTheFirstOptionSlowest) {
  const Grid grid = grid_of("wl-st", "default", "", {{"normalize", {false}}});
  ASSERT_EQ(grid.size(), 25u);
  EXPECT_EQ(grid[0].at("iterations"), 1);
  EXPECT_EQ(grid[1].at("iterations"), 1);
  EXPECT_EQ(grid[1].at("penalty"), 0.1);
}

TEST(Grid, GrowthIsThatOfTheTriplesFromRadius1To2) {
  const std::vector<Graph> graphs = {testing::decalin(), testing::star(9), testing::petersen(),
                                     testing::path(7), testing::empty_graph(3)};
  double near = 0, far = 0;
  for (const Graph& g : graphs) {
    near += static_cast<double>(testing::plain_pairs(g, pairs::Radius(1)).num_triples());
    far += static_cast<double>(testing::plain_pairs(g, pairs::Radius(2)).num_triples());
  }
  EXPECT_EQ(growth_of(graphs), far / near);
  EXPECT_GT(growth_of(graphs), 1);
  const std::vector<Graph> all_pairs = {testing::complete(6)};
  EXPECT_EQ(growth_of(all_pairs), 1);
  EXPECT_EQ(growth_of(Span<const Graph>()), 1);
}

TEST(Grid, DefaultSeesFartherWhereThatCostsLittle) {
  const auto radii = [](std::function<double()> growth, Overrides overrides = {}) {
    GridRequest request;
    request.model = "2-wl-gnn";
    request.growth = std::move(growth);
    request.overrides = std::move(overrides);
    std::vector<int> found;
    for (const model::Config& config : make_grid(request)) found.push_back(config.at("radius").get<int>());
    return found;
  };
  EXPECT_EQ(radii([] { return 3.45; }), (std::vector<int>{1, 2}));
  EXPECT_EQ(radii([] { return 4.0; }), (std::vector<int>{1, 2}));
  EXPECT_EQ(radii([] { return 4.1; }), (std::vector<int>{1, 1}));
  EXPECT_EQ(radii([] { return std::numeric_limits<double>::infinity(); }), (std::vector<int>{1, 1}));
  EXPECT_EQ(radii({}), (std::vector<int>{1, 1}));
  // What is typed holds for both, and nothing is counted for it.
  const auto never = []() -> double { throw Error("counted for nothing"); };
  EXPECT_EQ(radii(never, {{"radius", {3}}}), (std::vector<int>{3, 3}));
}

TEST(Grid, ARuleOfAFileMayAskForGrowth) {
  const std::string file = "[gin]\nlayers = 2\n[[gin.when]]\ngrowth-above = 2.5\nset = {layers = 3}\n";
  GridRequest request;
  request.model = "gin";
  request.preset = "quick";
  request.file_name = "g.toml";
  request.file_text = file;
  for (const double growth : {2.0, 2.5, 2.6}) {
    request.growth = [growth] { return growth; };
    EXPECT_EQ(make_grid(request)[0].at("layers"), growth > 2.5 ? 3 : 2) << growth;
  }
  EXPECT_EQ(message_of("[gin]\n[[gin.when]]\ngrowth-above = \"much\"\nset = {layers = 3}\n", "gin"),
            "g.toml:3: growth-above: needed a number");
}

// Raw counts want a small C, cosines a large one.
TEST(Grid, PenaltiesOfKernelsFollowHowCountsMeet) {
  for (const char* model : {"wl-st", "wl-sp", "2-lwl", "2-gwl", "2-wl"}) {
    for (const model::Config& config : grid_of(model, "default")) {
      EXPECT_EQ(config.at("normalize"), true);
      EXPECT_GE(config.at("penalty").get<double>(), 1);
    }
    for (const model::Config& config : grid_of(model, "default", "", {{"normalize", {false}}})) {
      EXPECT_EQ(config.at("combine"), "product");
      EXPECT_EQ(config.at("gamma"), 0);
      EXPECT_LE(config.at("penalty").get<double>(), 1);
    }
    // What is typed stays as it is typed.
    const Grid typed = grid_of(model, "default", "", {{"combine", {"intersection"}}, {"penalty", {0.5}}});
    for (const model::Config& config : typed) EXPECT_EQ(config.at("penalty"), 0.5);
  }
}

TEST(Grid, The2WlKernelVariesRadiusRoundsAndHowCountsMeet) {
  const Grid quick = grid_of("2-wl", "quick");
  ASSERT_EQ(quick.size(), 1u);
  EXPECT_EQ(quick[0].at("combine"), "intersection");
  // Twelve Gram matrices, and an SVM for each penalty.
  const Grid grid = grid_of("2-wl", "default");
  ASSERT_EQ(grid.size(), 2u * 3 * 5);
  for (const model::Config& config : grid) EXPECT_EQ(config.at("normalize"), true);
}

TEST(Grid, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(
      message_of("[wl-st]\niterations = 3\ndepth = 2\n"),
      "g.toml:3: unknown key 'depth'; wl-st has iterations, edge-labels, combine, normalize, gamma, penalty, "
      "tolerance, solver");
  EXPECT_EQ(message_of("[wl-xx]\n"),
            "g.toml:1: unknown key 'wl-xx'; the tables are 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, wl-st, wl-sp, "
            "2-lwl, 2-gwl, 2-wl");
  EXPECT_EQ(message_of("[wl-st]\niterations = -1\n"),
            "g.toml:2: iterations: needed an integer in 0..1000, found -1");
  EXPECT_EQ(message_of("[wl-st]\n\npenalty = [1, \"x\"]\n"),
            "g.toml:3: penalty: needed a number in 1e-12..1e+12, found \"x\"");
  EXPECT_EQ(message_of("[wl-st]\niterations = []\n"),
            "g.toml:2: iterations: needed a value, found an empty list");
  EXPECT_EQ(message_of("[gin]\npooling = \"median\"\n"),
            "g.toml:2: pooling: needed mean, sum, max, min, mean+max, sum+max, mean+sum, mean+sum+max, "
            "product, product+max or mean+product, found \"median\"");
  EXPECT_EQ(message_of("[wl-st\n").substr(0, 9), "g.toml:1:");
  EXPECT_EQ(message_of("[wl-st]\npenalty = nan\n"),
            "g.toml:2: penalty: needed a number in 1e-12..1e+12, found nan");
  EXPECT_EQ(message_of("[[wl-st.when]]\nunless = 3\n"),
            "g.toml:2: unknown key 'unless'; a rule has dataset, is, growth-above, set");
  EXPECT_THROW(grid_of("wl-st", "papers"), UsageError);
  EXPECT_THROW(grid_of("wl-st", "paper", "", {{"layers", {3}}}), UsageError);
  std::string many = "[gin]\nepochs = [";
  for (int i = 1; i <= 300; ++i) many += std::to_string(i) + ",";
  EXPECT_EQ(message_of(many + "]\nwidth = " + many.substr(many.find('[', 3)) + "]\n", "gin"),
            "the grid has more than 10000 configurations");
}

TEST(ModelOptions, ReadWhatTheCommandLineSays) {
  const model::Model& model = model::find_model("2-wl-gnn");
  EXPECT_EQ(model::parse_value(*model.find("radius"), "all"), "all");
  EXPECT_EQ(model::parse_value(*model.find("radius"), "3"), 3);
  EXPECT_EQ(model::parse_value(*model.find("lr"), "1e-3"), 0.001);
  EXPECT_EQ(model::parse_value(*model.find("jumping-knowledge"), "true"), true);
  EXPECT_THROW(model::parse_value(*model.find("radius"), "0"), UsageError);
  EXPECT_THROW(model::parse_value(*model.find("layers"), "2.5"), UsageError);
  EXPECT_THROW(model::parse_value(*model.find("lr"), "fast"), UsageError);
  EXPECT_THROW(model::parse_value(*model.find("lr"), ""), UsageError);
  EXPECT_THROW(model::find_model("wl"), UsageError);
}

}  // namespace
}  // namespace twofold::eval
