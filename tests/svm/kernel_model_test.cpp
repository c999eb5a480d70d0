#include "twofold/svm/kernel_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/gram/gram.h"
#include "twofold/record/tensor_file.h"

namespace twofold::testing {
namespace {

using gram::Kernel;
using gram::KernelKind;
using svm::FitOptions;
using svm::KernelModel;

constexpr KernelKind kKinds[] = {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                 KernelKind::kGlobalSets, KernelKind::kRows};

struct Sample {
  std::vector<Graph> train, test;
  std::vector<std::uint32_t> class_of;
};

Sample sample(std::size_t num_classes) {
  Random random(17);
  Sample result;
  for (std::size_t i = 0; i < 30; ++i) {
    result.class_of.push_back(static_cast<std::uint32_t>(i % num_classes));
    const double p = 0.15 + 0.2 * static_cast<double>(i % num_classes);
    result.train.push_back(random_graph(random, 4 + random.below(6), p, 2));
    result.test.push_back(random_graph(random, 4 + random.below(7), p, 3));
  }
  result.test.push_back(empty_graph(0));
  result.test.push_back(star(6));
  return result;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back("class " + std::to_string(i));
  return result;
}

struct Form {
  KernelKind kind;
  gram::Combine combine;
  double gamma;
};
std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (const KernelKind kind : kKinds)
    for (const gram::Combine combine : {gram::Combine::kProduct, gram::Combine::kIntersection})
      for (const double gamma : {0.0, 0.3}) forms.push_back({kind, combine, gamma});
  return forms;
}

class EveryModel : public ::testing::TestWithParam<Form> {
 protected:
  static Kernel kernel(int iterations, bool edge_labels = false) {
    return {GetParam().kind, iterations, edge_labels, 2, GetParam().combine};
  }
};

// Fitted on the training graphs alone, the model decides as an SVM on the kernel over all graphs.
TEST_P(EveryModel, DecidesAsTheTransductiveKernelDoes) {
  for (const std::size_t classes : {2, 3})
    for (const bool normalize : {false, true}) {
      const Sample data = sample(classes);
      FitOptions options;
      options.kernel = kernel(2);
      options.normalize = normalize;
      options.gamma = normalize ? GetParam().gamma : GetParam().gamma / 1000;
      options.svc.penalty = normalize || options.gamma > 0 ? 1 : 0.01;
      const KernelModel model = KernelModel::fit(data.train, data.class_of, names(classes), options);

      std::vector<Graph> all = data.train;
      all.insert(all.end(), data.test.begin(), data.test.end());
      const gram::GramMatrix matrix = gram::gram_matrix(all, options.kernel);
      const std::size_t n = data.train.size();
      std::vector<double> row;
      std::vector<std::vector<double>> rows;
      for (std::size_t i = 0; i < all.size(); ++i) {
        matrix.normalized_row(i, row);
        rows.emplace_back();
        for (std::size_t j = 0; j < n; ++j)
          rows.back().push_back(normalize ? row[j] : static_cast<double>(matrix.at(i, j)));
      }
      const auto own = [&](std::size_t i) {
        const auto raw = static_cast<double>(matrix.at(i, i));
        return normalize ? (raw > 0 ? 1.0 : 0.0) : raw;
      };
      for (std::size_t i = 0; options.gamma > 0 && i < all.size(); ++i)
        for (std::size_t j = 0; j < n; ++j)
          rows[i][j] = std::exp(-options.gamma * (own(i) + own(j) - 2 * rows[i][j]));
      const svm::Svc svc = svm::train_svc([&](std::size_t i, std::vector<double>& values) { values = rows[i]; },
                                          data.class_of, classes, options.svc);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto expected = svc.decisions(rows[i]);
        const auto found = model.predict(all[i]);
        for (std::size_t pair = 0; pair < expected.size(); ++pair)
          ASSERT_NEAR(found.decisions[pair], expected[pair], 1e-9 * (1 + std::abs(expected[pair])));
        EXPECT_EQ(found.class_index, svm::voted_class(found.decisions, classes));
      }
    }
}

TEST_P(EveryModel, VotesAddUpToTheDecision) {
  for (const bool normalize : {false, true}) {
    const Sample data = sample(3);
    FitOptions options;
    options.kernel = kernel(3);
    options.normalize = normalize;
    options.gamma = GetParam().gamma;
    const KernelModel model = KernelModel::fit(data.train, data.class_of, names(3), options);
    for (const Graph& g : data.test) {
      const auto decisions = model.predict(g).decisions;
      const svm::Votes votes = model.explain(g);
      for (std::size_t pair = 0; pair < decisions.size(); ++pair) {
        double sum = votes.base[pair], size = 1;
        for (const svm::Vote& vote : votes.votes) {
          sum += vote.values[pair];
          size += std::abs(vote.values[pair]);
        }
        EXPECT_NEAR(sum, decisions[pair], 1e-10 * size);
      }
    }
  }
}

TEST_P(EveryModel, PredictsTheSameBitsAfterSavingAndLoading) {
  const Sample data = sample(2);
  FitOptions options;
  options.kernel = kernel(2, true);
  options.normalize = true;
  options.gamma = GetParam().gamma;
  const KernelModel model = KernelModel::fit(data.train, data.class_of, {"a\"b", "\xc3\xa9"}, options);
  const std::string bytes = model.encode();
  const KernelModel loaded = KernelModel::decode(bytes, "model");
  EXPECT_EQ(loaded.encode(), bytes);
  EXPECT_EQ(loaded.class_names(), model.class_names());
  EXPECT_TRUE(loaded.kernel() == model.kernel());
  for (const Graph& g : data.test) EXPECT_EQ(loaded.predict(g).decisions, model.predict(g).decisions);
}

TEST_P(EveryModel, AnyTruncatedFileIsRefused) {
  const Sample data = sample(2);
  FitOptions options;
  options.kernel = kernel(1);
  options.gamma = GetParam().gamma;
  const std::string bytes = KernelModel::fit(data.train, data.class_of, names(2), options).encode();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 300)
    EXPECT_THROW(KernelModel::decode(bytes.substr(0, size), "model"), InputError) << size;
}

TEST_P(EveryModel, AChangedByteIsRefused) {
  const Sample data = sample(2);
  FitOptions options;
  options.kernel = kernel(1);
  options.gamma = GetParam().gamma;
  const std::string bytes = KernelModel::fit(data.train, data.class_of, names(2), options).encode();
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes;
    char& byte = damaged[random.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 + random.below(255)));
    EXPECT_THROW(KernelModel::decode(damaged, "model"), InputError) << i;
  }
}

// Whoever changes a byte and makes the checksum anew gets an error or a model, never a crash.
TEST_P(EveryModel, ADamagedFileDoesNoHarm) {
  const Sample data = sample(2);
  FitOptions options;
  options.kernel = kernel(1);
  options.gamma = GetParam().gamma;
  const std::string bytes = KernelModel::fit(data.train, data.class_of, names(2), options).encode();
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    record::TensorFile damaged = record::decode_tensors(bytes, "model");
    const std::size_t place = random.below(damaged.tensors.size() + 1);
    std::string& part = place == damaged.tensors.size() ? damaged.config : damaged.tensors[place].bytes;
    if (part.empty()) continue;
    part[random.below(part.size())] =
        static_cast<char>(place == damaged.tensors.size() ? ' ' + random.below(95) : random.below(256));
    try {
      const KernelModel model = KernelModel::decode(record::encode_tensors(damaged), "model");
      for (const Graph& g : data.test) EXPECT_EQ(model.predict(g).decisions.size(), 1u);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

// A new count may lie below, between and above those of the training graphs.
TEST(KernelModel, ByIntersectionTakesCountsThatNoTrainingGraphHas) {
  const std::vector<Graph> graphs = {star(3), star(9), path(4), path(10)};
  FitOptions options;
  options.kernel = {KernelKind::kWlSubtree, 1, false, 1, gram::Combine::kIntersection};
  options.svc.penalty = 1;
  const std::vector<std::uint32_t> class_of = {0, 0, 1, 1};
  const KernelModel model = KernelModel::fit(graphs, class_of, names(2), options);
  for (const int leaves : {1, 2, 5, 12}) {
    std::vector<Graph> all = graphs;
    all.push_back(star(static_cast<std::size_t>(leaves)));
    const gram::GramMatrix matrix = gram::gram_matrix(all, options.kernel);
    const auto kernel_row = [&](std::size_t i, std::vector<double>& values) {
      values.assign(matrix.row(i), matrix.row(i) + 4);
    };
    std::vector<double> row;
    kernel_row(4, row);
    const svm::Svc svc = svm::train_svc(kernel_row, class_of, 2, options.svc);
    EXPECT_NEAR(model.predict(all[4]).decisions[0], svc.decisions(row)[0], 1e-12) << leaves;
  }
}

INSTANTIATE_TEST_SUITE_P(Svm, EveryModel, ::testing::ValuesIn(all_forms()), [](const auto& test) {
  std::string name = gram::kernel_name(test.param.kind) + to_string(test.param.combine);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return "Kernel" + name + (test.param.gamma > 0 ? "gaussian" : "");
});

}  // namespace
}  // namespace twofold::testing
