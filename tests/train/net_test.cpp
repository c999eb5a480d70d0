#include "twofold/compute/net.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/learning_sample.h"
#include "tests/support/plain_network.h"
#include "twofold/base/error.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/engine_choice.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

using compute::Activation;
using model::Gate;
using model::Head;
using model::ModelKind;
using model::ModelOptions;
using model::Norm;
using model::Pooling;

struct Case {
  std::string name;
  ModelOptions options;
};

// Every model and every form of a layer, readout and head.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, ModelKind kind,
                       const std::function<void(ModelOptions&)>& change) {
    ModelOptions o = model::plain_options(kind);
    o.width = 5;
    o.layers = 3;
    if (kind != ModelKind::kGin && kind != ModelKind::kMlp) {
      o.activation = Activation::kTanh;
      o.inner_activation = Activation::kLogistic;
      o.pooling = Pooling::kMean;
    }
    o.radius = pairs::Radius(2);
    change(o);
    all.push_back({std::string(model::to_string(kind)) + " " + name, o});
  };
  const ModelKind stacks[] = {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGcn, ModelKind::kSage};
  for (const ModelKind kind : stacks) {
    add("plain", kind, [](ModelOptions&) {});
    add("attention stack", kind, [](ModelOptions& o) { o.pooling = Pooling::kWeightedMean; });
    add("attention scalar, no bias", kind, [](ModelOptions& o) {
      o.pooling = Pooling::kWeightedMean;
      o.attention = model::Attention::kScalar;
      o.bias = false;
      o.jumping_knowledge = false;
    });
    add("no head", kind, [](ModelOptions& o) { o.head = Head::kNone; });
    add("no head, classes, max", kind, [](ModelOptions& o) {
      o.head = Head::kNone;
      o.task = model::TaskKind::kMultiClass;
      o.outputs = 3;
      o.pooling = Pooling::kMax;
    });
    for (const Norm norm : {Norm::kBatch, Norm::kLayer}) {
      const std::string word = model::to_string(norm);
      add("norm " + word, kind, [&](ModelOptions& o) { o.norm = norm; });
      add("pool norm " + word, kind, [&](ModelOptions& o) { o.pool_norm = norm; });
      add("pool norm " + word + ", all layers, sum and max, dropout", kind, [&](ModelOptions& o) {
        o.pool_norm = o.norm = norm;
        o.readout = model::Readout::kAll;
        o.pooling = Pooling::kSum;
        o.joined = {Pooling::kMax};
        o.dropout = 0.3;
      });
      add("pool norm " + word + ", attention stack", kind, [&](ModelOptions& o) {
        o.pool_norm = norm;
        o.pooling = Pooling::kWeightedMean;
        o.head = Head::kLinear;
      });
      if (kind != ModelKind::kGcn) {
        add("sum norm " + word, kind, [&](ModelOptions& o) { o.sum_norm = norm; });
        add("both norms " + word + ", residual, no head, attention", kind, [&](ModelOptions& o) {
          o.norm = o.sum_norm = norm;
          o.residual = true;
          o.head = Head::kNone;
          o.pooling = Pooling::kWeightedMean;
        });
      }
    }
    add("residual, gelu", kind, [](ModelOptions& o) {
      o.residual = true;
      o.activation = Activation::kGelu;
    });
    add("silu, batch norm, linear head, sum", kind, [](ModelOptions& o) {
      o.activation = Activation::kSilu;
      o.norm = Norm::kBatch;
      o.head = Head::kLinear;
      o.pooling = Pooling::kSum;
    });
    add("readout of all layers, mean and max", kind, [](ModelOptions& o) {
      o.readout = model::Readout::kAll;
      o.joined = {Pooling::kMax};
      o.norm = Norm::kBatch;
    });
    add("readout of all layers, linear, three poolings, dropout", kind, [](ModelOptions& o) {
      o.readout = model::Readout::kAll;
      o.head = Head::kLinear;
      o.joined = {Pooling::kSum, Pooling::kMin};
      o.dropout = 0.3;
    });
    if (!model::has_pair_rows(kind)) continue;
    add("loops only", kind, [](ModelOptions& o) { o.loops_only = true; });
    add("by kind", kind, [](ModelOptions& o) {
      o.pool_by_kind = true;
      o.joined = {Pooling::kMax};
    });
    add("by kind without indicators, all layers", kind, [](ModelOptions& o) {
      o.pool_by_kind = true;
      o.indicators = false;
      o.readout = model::Readout::kAll;
    });
  }
  for (const Gate gate : {Gate::kBounded, Gate::kNone})
    for (const Norm norm : {Norm::kNone, Norm::kBatch, Norm::kLayer}) {
      const std::string word = std::string(model::to_string(gate)) + ", norm " + model::to_string(norm);
      add("gate " + word, ModelKind::k2WlGnn, [&](ModelOptions& o) {
        o.gate = gate;
        o.norm = o.sum_norm = norm;
      });
      add("gate " + word + ", residual, identity inside, no head", ModelKind::k2WlGnn, [&](ModelOptions& o) {
        o.gate = gate;
        o.norm = norm;
        o.residual = true;
        o.inner_activation = Activation::kIdentity;
        o.head = Head::kNone;
      });
    }
  add("sixteen channels", ModelKind::k2WlGnn, [](ModelOptions& o) {
    o.width = 16;
    o.sum_norm = Norm::kBatch;
  });
  add("radius all, relu inside", ModelKind::k2WlGnn, [](ModelOptions& o) {
    o.radius = pairs::Radius::all();
    o.inner_activation = Activation::kRelu;
  });
  add("without self-loops", ModelKind::kSage, [](ModelOptions& o) { o.self_loops = false; });
  add("plain", ModelKind::kGin, [](ModelOptions&) {});
  add("eps, mean and max", ModelKind::kGin, [](ModelOptions& o) {
    o.train_eps = true;
    o.pooling = Pooling::kMean;
    o.joined = {Pooling::kMax};
  });
  add("dropout, no batch norm", ModelKind::kGin, [](ModelOptions& o) {
    o.batch_norm = false;
    o.dropout = 0.4;
  });
  add("deep sets", ModelKind::kMlp, [](ModelOptions&) {});
  add("fingerprint, sum and max", ModelKind::kMlp, [](ModelOptions& o) {
    o.mlp_form = model::MlpForm::kSumOfFeatures;
    o.joined = {Pooling::kMax};
  });
  return all;
}

// Some graphs, with starting values that leave nothing at 0.
struct Sample {
  Sample(const ModelOptions& given, bool with_attributes, std::size_t count = 9, std::uint64_t seed = 4)
      : options(given),
        graphs(testing::learning_graphs(seed, count, with_attributes)),
        data(graphs, options, input_layout(graphs, options)),
        layout(model::parameter_layout(options, data.columns())),
        parameters(model::initial_parameters(layout, 7)) {
    model::check_options(options);
    Random random(11);
    for (const model::Parameter& p : layout.parameters)
      if (!p.is_matrix())
        for (std::size_t i = 0; i < p.size(); ++i) parameters[p.offset + i] += 0.3 * random.uniform();
    objective.kind = options.task;
    objective.outputs = static_cast<std::size_t>(options.outputs);
    for (std::uint32_t g = 0; g < graphs.size(); ++g) {
      batch.graphs.push_back(g);
      classes.push_back(static_cast<std::uint32_t>(random.below(options.outputs == 3 ? 3 : 2)));
      weights.push_back(0.2 + random.uniform());
    }
    batch.seed = 5;
    if (with_attributes) {
      objective.features = {{0.1}, {1.3}, {0.4}, {0.7}};
      if (!model::has_pair_rows(options.model)) objective.features = {{0.1}, {1.3}, {}, {}};
    }
  }
  Sample(const Sample&) = delete;

  compute::NetShape shape() const { return net_shape(options, data.columns(), layout, objective); }
  compute::Targets<double> targets() const { return {classes.data(), nullptr, weights.data()}; }

  ModelOptions options;
  std::vector<Graph> graphs;
  EncodedDataset data;
  model::ParameterLayout layout;
  std::vector<double> parameters;
  Objective objective;
  Batch batch;
  std::vector<std::uint32_t> classes;
  std::vector<double> weights;
};

// How a network is computed: on rows, on colors, or with so many layers on colors in front of rows.
struct Way {
  std::string name;
  bool on_colors = false;
  std::size_t front_layers = 0;
};
const Way kRows = {"rows"};
const Way kColors = {"colors", true};

// Those that there are for a sample.
std::vector<Way> ways(const Sample& sample) {
  std::vector<Way> all = {kRows, kColors};
  if (!why_not_mixed(sample.data, sample.options).empty()) return all;
  for (std::size_t front = 1; front < static_cast<std::size_t>(sample.options.layers); ++front)
    all.push_back({"rows behind " + std::to_string(front), false, front});
  return all;
}

std::unique_ptr<BatchMaker<double>> batches_of(const Sample& sample, const compute::NetShape& shape,
                                               const Way& way) {
  const FeatureScaling& scaling = sample.objective.features;
  if (way.front_layers > 0)
    return make_mixed_batches<double>(sample.data, sample.options, shape, scaling, way.front_layers);
  return (way.on_colors ? make_color_batches<double> : make_row_batches<double>)(sample.data, sample.options,
                                                                                 shape, scaling);
}

// One network on one form of batches.
class Runner {
 public:
  Runner(const Sample& sample, const Way& way)
      : sample_(sample), net_(sample.shape()), batches_(batches_of(sample, net_.shape(), way)) {}

  std::vector<double> outputs(const Batch& batch) {
    std::vector<double> found(batch.graphs.size() * sample_.objective.outputs);
    net_.outputs(batches_->make(batch), sample_.parameters.data(), {found.data()});
    return found;
  }
  double loss(std::vector<double> parameters) {
    std::vector<double> gradient(parameters.size());
    return net_.loss_and_gradient(batches_->make(sample_.batch), sample_.targets(), parameters.data(),
                                  gradient.data());
  }
  struct Found {
    double loss = 0;
    std::vector<double> outputs;
    std::vector<double> gradient;
    // With the running statistics moved on.
    std::vector<double> parameters;
  };
  Found train(int threads = 1) {
    Found found;
    found.parameters = sample_.parameters;
    found.gradient.resize(found.parameters.size());
    found.outputs.resize(sample_.batch.graphs.size() * sample_.objective.outputs);
    found.loss =
        net_.loss_and_gradient(batches_->make(sample_.batch), sample_.targets(), found.parameters.data(),
                               found.gradient.data(), {found.outputs.data()}, threads);
    return found;
  }
  compute::Net<double>& net() { return net_; }
  const compute::NetBatch<double>& batch() { return batches_->make(sample_.batch); }

 private:
  const Sample& sample_;
  compute::Net<double> net_;
  std::unique_ptr<BatchMaker<double>> batches_;
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  double size = 1;
  for (const double value : b) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * size) << what << " " << i;
}

TEST(Net, GivesWhatTheDefinitionsGive) {
  for (const bool with_attributes : {false, true})
    for (const Case& c : cases()) {
      const Sample sample(c.options, with_attributes);
      for (const Way& way : ways(sample)) {
        Runner runner(sample, way);
        testing::PlainNetwork plain(sample.data, c.options, sample.parameters, sample.objective.features);
        for (const bool trains : {false, true}) {
          if (trains && c.options.dropout > 0) continue;
          std::vector<double> expected;
          for (const auto& row : plain.outputs(sample.batch, trains))
            expected.insert(expected.end(), row.begin(), row.end());
          expect_near(trains ? runner.train().outputs : runner.outputs(sample.batch), expected, 1e-10,
                      c.name + " " + way.name + (trains ? " training" : ""));
        }
      }
    }
}

void expect_finite_differences(const Sample& sample, const std::string& what) {
  Runner runner(sample, kRows);
  const Runner::Found found = runner.train();
  for (const model::Parameter& p : sample.layout.parameters) {
    if (!p.is_trained) continue;
    for (std::size_t i = 0; i < p.size(); i += 1 + p.size() / 12) {
      const std::size_t at = p.offset + i;
      constexpr double kStep = 1e-6;
      std::vector<double> moved = sample.parameters;
      moved[at] += kStep;
      const double above = runner.loss(moved);
      moved[at] -= 2 * kStep;
      const double below = runner.loss(moved);
      const double slope = (above - below) / (2 * kStep);
      ASSERT_NEAR(found.gradient[at], slope, 2e-7 * std::max(1.0, std::abs(slope)))
          << what << ": " << p.name << "[" << i << "]";
    }
  }
}

TEST(Net, PassesFiniteDifferencesInEveryParameter) {
  for (const Case& c : cases()) expect_finite_differences(Sample(c.options, true, 6), c.name);
}

// Of a single graph the mean over the batch would leave nothing, and its deviation of 0 would spoil the running
// one.
TEST(Net, ABatchOfOneGraphIsPooledByTheRunningStatistics) {
  for (const Case& c : cases()) {
    ModelOptions o = c.options;
    if (o.pool_norm != Norm::kBatch) continue;
    o.dropout = 0;
    Sample sample(o, true, 6);
    sample.batch.graphs = {2};
    expect_finite_differences(sample, c.name);
    for (const Way& way : ways(sample)) {
      Runner runner(sample, way);
      const Runner::Found found = runner.train();
      testing::PlainNetwork plain(sample.data, o, sample.parameters, sample.objective.features);
      expect_near(found.outputs, plain.outputs(sample.batch, true)[0], 1e-10, c.name + " " + way.name);
      if (o.norm == Norm::kBatch || o.sum_norm == Norm::kBatch) continue;
      EXPECT_EQ(found.parameters, sample.parameters) << c.name << " " << way.name;
      expect_near(found.outputs, runner.outputs(sample.batch), 1e-10, c.name + " evaluated, " + way.name);
    }
  }
}

TEST(Net, LearnsOnColorsWhatItLearnsOnRows) {
  std::size_t num_mixed = 0;
  for (const bool with_attributes : {false, true})
    for (const Case& c : cases()) {
      const Sample sample(c.options, with_attributes, 12);
      const Runner::Found rows = Runner(sample, kRows).train();
      for (const Way& way : ways(sample)) {
        const std::string name = c.name + " " + way.name;
        const Runner::Found other = Runner(sample, way).train();
        EXPECT_NEAR(rows.loss, other.loss, 1e-10) << name;
        expect_near(other.outputs, rows.outputs, 1e-10, name + " outputs");
        expect_near(other.gradient, rows.gradient, 1e-10, name + " gradient");
        expect_near(other.parameters, rows.parameters, 1e-10, name + " running statistics");
        num_mixed += way.front_layers > 0 ? 1 : 0;
      }
    }
  EXPECT_GT(num_mixed, 30u);
}

TEST(Net, NumberOfThreadsChangesNoBit) {
  for (const Case& c : cases()) {
    const Sample sample(c.options, false, 40);
    for (const Way& way : ways(sample)) {
      Runner runner(sample, way);
      const Runner::Found one = runner.train(1);
      if (!way.on_colors && sample.options.radius == pairs::Radius(2) &&
          sample.options.model == ModelKind::k2WlGnn) {
        EXPECT_GT(runner.batch().parts.size(), 2u) << c.name;
      }
      for (const int threads : {2, 4}) {
        const Runner::Found more = runner.train(threads);
        EXPECT_EQ(one.loss, more.loss) << c.name;
        EXPECT_EQ(one.outputs, more.outputs) << c.name;
        EXPECT_EQ(one.gradient, more.gradient) << c.name;
        EXPECT_EQ(one.parameters, more.parameters) << c.name;
      }
    }
  }
}

TEST(Net, BatchesOfAnySizeGiveTheSameOutputsInEvaluation) {
  for (const Case& c : cases()) {
    const Sample sample(c.options, false, 20);
    for (const Way& way : ways(sample)) {
      Runner runner(sample, way);
      const std::vector<double> all = runner.outputs(sample.batch);
      std::vector<double> single;
      for (const std::uint32_t g : sample.batch.graphs) {
        Batch one;
        one.graphs = {g};
        for (const double value : runner.outputs(one)) single.push_back(value);
      }
      expect_near(single, all, 1e-12, c.name);
    }
  }
}

TEST(Net, GradientByTheInputPassesFiniteDifferences) {
  // By attributes, which alone can be moved from outside: d output / d attribute is the gradient of its column.
  for (const Case& c : cases()) {
    if (c.options.pooling == Pooling::kMax) continue;
    const Sample sample(c.options, true, 3);
    Sample moved(c.options, true, 3);
    const std::size_t columns = sample.data.columns();
    Batch one;
    one.graphs = {2};
    const auto outputs_at = [&](double mean) {
      // Moving the mean down moves every node's attribute up by as much over the scale.
      moved.objective.features.node_mean = {mean};
      return Runner(moved, kRows).outputs(one);
    };
    constexpr double kStep = 1e-4;
    const double mean = sample.objective.features.node_mean[0], scale = sample.objective.features.node_scale[0];
    const std::vector<double> above = outputs_at(mean - kStep), below = outputs_at(mean + kStep);
    compute::Net<double> net(sample.shape());
    const auto batches =
        make_row_batches<double>(sample.data, c.options, net.shape(), sample.objective.features);
    std::vector<double> doutputs(sample.objective.outputs, 0), input(sample.data.num_rows(2) * columns);
    doutputs[0] = 1;
    net.gradient(batches->make(one), sample.parameters.data(), doutputs.data(), nullptr, input.data());
    double sum = 0;
    const std::size_t column = sample.data.layout().features.node_attribute_column();
    for (std::size_t v = 0; v < sample.graphs[2].num_nodes(); ++v) sum += input[v * columns + column];
    // Attributes are rounded to float, so steps cannot be small.
    EXPECT_NEAR(sum, (above[0] - below[0]) / (2 * kStep) * scale, 2e-3 * std::max(1.0, std::abs(sum)))
        << c.name;
  }
}

TEST(Net, GradientOfGivenOutputSlopesIsThatOfTheLoss) {
  for (const Case& c : cases()) {
    // In evaluation: what training does differently is left out.
    ModelOptions o = c.options;
    o.dropout = 0;
    if (o.norm == Norm::kBatch || o.sum_norm == Norm::kBatch || o.pool_norm == Norm::kBatch ||
        (o.model == ModelKind::kGin && o.batch_norm))
      continue;
    const Sample sample(o, false, 8);
    for (const Way& way : ways(sample)) {
      Runner runner(sample, way);
      const Runner::Found found = runner.train();
      std::vector<double> doutputs(found.outputs.size());
      compute::graph_loss<double>(runner.net().shape().loss, sample.batch.graphs.size(),
                                  sample.objective.outputs, found.outputs.data(), sample.targets(),
                                  doutputs.data());
      std::vector<double> gradient(sample.parameters.size());
      runner.net().gradient(runner.batch(), sample.parameters.data(), doutputs.data(), gradient.data(),
                            nullptr);
      EXPECT_EQ(gradient, found.gradient) << c.name << " " << way.name;
    }
  }
}

TEST(Net, NamesTheLayerWhereValuesBecomeInfinite) {
  for (const Case& c : cases()) {
    if (c.options.model == ModelKind::kMlp) continue;
    Sample sample(c.options, false);
    const bool is_gin = c.options.model == ModelKind::kGin;
    const model::Parameter& weight = sample.layout.at(is_gin ? "conv.1.0.weight" : "conv.1.weight");
    sample.parameters[weight.offset] = std::numeric_limits<double>::infinity();
    for (const Way& way : ways(sample)) {
      try {
        Runner(sample, way).outputs(sample.batch);
        FAIL() << c.name << " " << way.name;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(is_gin ? "convolution 1" : "convolution 2"), std::string::npos)
            << c.name << ": " << error.what();
      }
    }
  }
}

TEST(Net, EmptyBatchesAndGraphsAreNoTrouble) {
  for (const Case& c : cases()) {
    Sample sample(c.options, false);
    for (const Way& way : ways(sample)) EXPECT_TRUE(Runner(sample, way).outputs({}).empty()) << c.name;
  }
}

}  // namespace
}  // namespace twofold::train
