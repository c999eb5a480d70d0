#include "twofold/paper/experiments.h"

#include <fmt/format.h>

namespace twofold::paper {
namespace {

// What --quick does with a dataset.
struct Quick {
  int folds;
  int epochs;
  int slow_epochs;  // of the 2-GNN, and of the study of radii, where all have as many
  int radius;       // of the 2-WL-GNN
};
constexpr Quick kQuick[kNumDatasets] = {
    {4, 150, 150, 2},  // TRIANGLE
    {3, 300, 100, 1},  // NCI1: an epoch at r = 8 takes 80 times as long as at r = 1
    {3, 60, 60, 1},    // PROTEINS
    {2, 40, 40, 1},    // D&D
    {2, 150, 60, 1},   // REDDIT-B
    {3, 200, 100, 4},  // IMDB-B
};

// Folds of a learner with a seed of its own.
constexpr int kSeedFolds = 4;

bool is_kernel(const std::string& model) {
  return model == "wl-st" || model == "wl-sp" || model == "2-lwl" || model == "2-gwl" || model == "2-wl";
}

// Its value; empty if it is not there.
std::string value_of(const RunOptions& options, const std::string& name) {
  for (const auto& [key, value] : options)
    if (key == name) return value;
  return "";
}

}  // namespace

const std::vector<Learner>& table_learners() {
  static const std::vector<Learner> all = {
      {"WL_ST (T = 1)", "wl-st-1", "wl-st", {{"iterations", "1"}}},
      {"WL_ST (T = 3)", "wl-st-3", "wl-st", {{"iterations", "3"}}},
      {"WL_ST (T = 5)", "wl-st-5", "wl-st", {{"iterations", "5"}}},
      {"WL_SP (T = 3)", "wl-sp-3", "wl-sp", {{"iterations", "3"}}},
      {"2-LWL (T = 3)", "2-lwl-3", "2-lwl", {{"iterations", "3"}}},
      {"2-GWL (T = 3)", "2-gwl-3", "2-gwl", {{"iterations", "3"}}},
      {"Baseline (sum)", "mlp", "mlp", {}},
      {"GIN (sum)", "gin", "gin", {}},
      {"2-GNN (mean)", "2-gnn-mean", "2-gnn", {{"pooling", "mean"}}},
      {"2-GNN (weighted mean)", "2-gnn-weighted", "2-gnn", {{"pooling", "weighted-mean"}}},
      {"2-WL-GNN (mean)", "2-wl-gnn-mean", "2-wl-gnn", {{"pooling", "mean"}}},
      {"2-WL-GNN (weighted mean)", "2-wl-gnn-weighted", "2-wl-gnn", {{"pooling", "weighted-mean"}}},
  };
  return all;
}

const std::vector<Learner>& depth_learners() {
  static const std::vector<Learner> all = [] {
    std::vector<Learner> depths;
    for (int t = 1; t <= 5; ++t)
      depths.push_back({fmt::format("WL_ST (T = {})", t),
                        fmt::format("wl-st-{}", t),
                        "wl-st",
                        {{"iterations", std::to_string(t)}}});
    return depths;
  }();
  return all;
}

Learner radius_learner(bool is_weighted, int radius) {
  return {fmt::format("2-WL-GNN ({}, no MLP, r = {})", is_weighted ? "weighted mean" : "mean", radius),
          fmt::format("2-wl-gnn-{}-no-mlp-r{}", is_weighted ? "weighted" : "mean", radius),
          "2-wl-gnn",
          {{"radius", std::to_string(radius)},
           {"pooling", is_weighted ? "weighted-mean" : "mean"},
           {"head", "none"}}};
}

const std::vector<Learner>& our_learners() {
  static const std::vector<Learner> all = {{"2-WL-GNN (ours)", "2-wl-gnn-ours", "2-wl-gnn", {}, true, 0},
                                           {"2-WL kernel (ours)", "2-wl-ours", "2-wl", {}, true, 0}};
  return all;
}

const std::vector<Learner>& steadiness_learners() {
  static const std::vector<Learner> all = [] {
    std::vector<Learner> seeds;
    for (const bool is_ours : {false, true})
      for (std::uint64_t seed = 1; seed <= kNumSteadinessSeeds; ++seed) {
        Learner learner = is_ours ? our_learners().front() : table_learners().back();
        learner.name += fmt::format(", seed {}", seed);
        learner.key += fmt::format("-seed-{}", seed);
        // One configuration of the paper's grid: those of the fastest rate are the ones that learn at all.
        if (!is_ours)
          learner.options.insert(learner.options.end(), {{"lr", "0.01"}, {"jumping-knowledge", "true"}});
        learner.seed = seed;
        seeds.push_back(std::move(learner));
      }
    return seeds;
  }();
  return all;
}

std::string RunPlan::option(const std::string& name) const { return value_of(options, name); }

RunPlan full_run(std::size_t dataset, const Learner& learner) {
  if (learner.seed != 0)
    return {dataset, learner, learner.is_ours ? "quick" : "paper", learner.options, kSeedFolds, 1, ""};
  return {dataset, learner, learner.is_ours ? "default" : "paper", learner.options, 0, 3, ""};
}

RunPlan quick_run(std::size_t dataset, const Learner& learner) {
  const Quick& quick = kQuick[dataset];
  if (learner.is_ours) return {dataset, learner, "quick", learner.options, quick.folds, 1, ""};
  RunPlan plan{dataset, learner, "paper-quick", learner.options, quick.folds, 1, ""};
  const std::string& name = paper_datasets()[dataset].name;
  if (is_kernel(learner.model)) {
    plan.preset = "paper";
    // All pairs of nodes of graphs with thousands of them: minutes and gigabytes each.
    if ((learner.model == "2-lwl" || learner.model == "2-gwl") && (name == "D&D" || name == "REDDIT-B"))
      plan.left_out = "takes minutes and 3 to 4 GB: only without --quick";
    return plan;
  }
  const bool is_slow = learner.model == "2-gnn" || !value_of(learner.options, "radius").empty();
  int count = is_slow ? quick.slow_epochs : quick.epochs;
  // Without an MLP, TRIANGLE is learnt more slowly.
  if (dataset == kTriangle && value_of(learner.options, "head") == "none") count *= 3;
  const std::string epochs = std::to_string(count);
  plan.options.emplace_back("epochs", epochs);
  plan.options.emplace_back("patience", epochs);
  if (learner.model == "2-wl-gnn" && value_of(learner.options, "radius").empty())
    plan.options.emplace_back("radius", std::to_string(quick.radius));
  return plan;
}

std::string describe_quick(const RunPlan& plan) {
  std::string text = fmt::format("the first {} folds", plan.folds);
  if (is_kernel(plan.learner.model)) return text;
  text += ", one configuration";
  if (!plan.option("epochs").empty()) text += fmt::format(", {} epochs", plan.option("epochs"));
  text += ", one run";
  const std::string radius = plan.option("radius");
  const int published = paper_datasets()[plan.dataset].radius;
  // A radius of the learner's own is no difference.
  if (value_of(plan.learner.options, "radius").empty() && !radius.empty() &&
      radius != std::to_string(published))
    text += fmt::format(", r = {} instead of {}", radius, published);
  return text;
}

}  // namespace twofold::paper
