#include "twofold/svm/linear_svc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/graph/generate_molecule.h"
#include "twofold/svm/kernel_model.h"

namespace twofold::testing {
namespace {

using gram::SparseCounts;

SparseCounts random_counts(std::size_t rows, std::uint32_t columns, Random& random) {
  SparseCounts counts;
  counts.num_columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint32_t c = 0; c < columns; ++c)
      if (random.chance(0.4)) {
        counts.columns.push_back(c);
        counts.counts.push_back(1 + random.below(4));
      }
    counts.starts.push_back(counts.columns.size());
  }
  return counts;
}

// |w|² / 2 + C Σ max(0, 1 - y (w x - rho)), by the definition.
double objective(const SparseCounts& counts, const std::vector<std::uint32_t>& class_of, bool normalize,
                 const std::vector<double>& weights, double rho, double penalty) {
  double sum = 0;
  for (const double w : weights) sum += w * w / 2;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    double product = 0, square = 0;
    for (std::uint64_t at = counts.starts[i]; at < counts.starts[i + 1]; ++at) {
      const auto count = static_cast<double>(counts.counts[at]);
      product += weights[counts.columns[at]] * count;
      square += count * count;
    }
    if (normalize) product = square > 0 ? product / std::sqrt(square) : 0;
    sum += penalty * std::max(0.0, 1 - (class_of[i] == 0 ? 1 : -1) * (product - rho));
  }
  return sum;
}

TEST(LinearSvc, NoStepFromItsWeightsIsBetter) {
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    const SparseCounts counts = random_counts(25, 8, random);
    std::vector<std::uint32_t> class_of, rows;
    for (std::uint32_t i = 0; i < 25; ++i) {
      class_of.push_back(static_cast<std::uint32_t>(random.below(2)));
      rows.push_back(i);
    }
    class_of[0] = 0;
    class_of[1] = 1;
    for (const bool normalize : {false, true})
      for (const double penalty : {0.01, 0.1, 1.0}) {
        svm::SvcOptions options;
        options.penalty = penalty;
        options.tolerance = 1e-7;
        const svm::LinearSvc svc = svm::train_linear({&counts, rows, normalize}, class_of, 2, options);
        const double least = objective(counts, class_of, normalize, svc.weights[0], svc.rho[0], penalty);
        // The objective is convex, so a point that no direction improves is the minimum.
        for (int step = 0; step < 200; ++step) {
          std::vector<double> other = svc.weights[0];
          const double length = std::pow(10.0, -1.0 - 4 * random.uniform());
          for (double& w : other) w += length * random.normal();
          const double rho = svc.rho[0] + length * random.normal();
          EXPECT_GE(objective(counts, class_of, normalize, other, rho, penalty), least - 1e-6 * (1 + least));
        }
      }
  }
}

TEST(LinearSvc, AModelPredictsWhatItsMachineDecides) {
  const Dataset dataset = graph::generate_molecules({10, 20, 60}, 5);
  const std::vector<std::uint32_t> class_of(dataset.class_of.begin(), dataset.class_of.end());
  for (const gram::KernelKind kind :
       {gram::KernelKind::kWlSubtree, gram::KernelKind::kWlShortestPath, gram::KernelKind::kRows})
    for (const bool normalize : {false, true}) {
      svm::FitOptions fit;
      fit.kernel.kind = kind;
      fit.kernel.iterations = 2;
      fit.normalize = normalize;
      fit.solver = svm::Solver::kLinear;
      const svm::KernelModel model = svm::KernelModel::fit(dataset.graphs, class_of, dataset.class_names, fit);
      EXPECT_EQ(model.solver(), svm::Solver::kLinear);
      gram::Vocabulary vocabulary(fit.kernel);
      const SparseCounts counts = gram::add_counts(vocabulary, dataset.graphs);
      std::vector<std::uint32_t> rows(dataset.graphs.size());
      for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
      const svm::LinearSvc svc = svm::train_linear({&counts, rows, normalize}, class_of, 2, fit.svc);
      std::size_t right = 0;
      for (const std::uint32_t i : rows) {
        const svm::Prediction prediction = model.predict(dataset.graphs[i]);
        EXPECT_NEAR(prediction.decisions[0], svc.decisions(counts, i, normalize)[0], 1e-9);
        right += prediction.class_index == class_of[i];
      }
      // On what it was trained on.
      EXPECT_GE(right, normalize ? rows.size() / 2 : rows.size());
      const svm::KernelModel read = svm::KernelModel::decode(model.encode(), "m");
      EXPECT_EQ(read.encode(), model.encode());
      EXPECT_EQ(read.solver(), svm::Solver::kLinear);
    }
}

TEST(LinearSvc, DecidesAsLibsvmDoesWhichSolvesTheSameProblem) {
  const Dataset train = graph::generate_molecules({10, 30, 300}, 5),
                test = graph::generate_molecules({10, 30, 300}, 6);
  const std::vector<std::uint32_t> class_of(train.class_of.begin(), train.class_of.end());
  svm::FitOptions fit;
  fit.kernel.iterations = 3;
  fit.svc.penalty = 0.01;
  fit.svc.tolerance = 1e-5;
  fit.solver = svm::Solver::kLibsvm;
  const svm::KernelModel one = svm::KernelModel::fit(train.graphs, class_of, train.class_names, fit);
  fit.solver = svm::Solver::kLinear;
  const svm::KernelModel other = svm::KernelModel::fit(train.graphs, class_of, train.class_names, fit);
  for (const Graph& g : test.graphs)
    EXPECT_NEAR(one.predict(g).decisions[0], other.predict(g).decisions[0], 0.02);
}

TEST(LinearSvc, TakesClassesThatAreMissingAndRefusesWhatCannotBe) {
  Random random(8);
  const SparseCounts counts = random_counts(6, 4, random);
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3, 4, 5}, class_of = {0, 0, 2, 2, 2, 0};
  const svm::LinearSvc svc = svm::train_linear({&counts, rows, false}, class_of, 3);
  ASSERT_EQ(svc.num_pairs(), 3u);
  EXPECT_EQ(svc.rho[0], -1);  // 0 against 1: 0 is there
  EXPECT_EQ(svc.rho[2], 1);   // 1 against 2: 2 is there
  svm::SvcOptions options;
  options.penalty = 0;
  EXPECT_THROW(svm::train_linear({&counts, rows, false}, class_of, 3, options), UsageError);
  EXPECT_THROW(svm::train_linear({&counts, {}, false}, {}, 3), InputError);
  gram::Kernel kernel;
  kernel.combine = gram::Combine::kIntersection;
  EXPECT_THROW(svm::resolve_solver(svm::Solver::kLinear, kernel, 0, 10), UsageError);
  EXPECT_THROW(svm::resolve_solver(svm::Solver::kLinear, {}, 0.5, 10), UsageError);
  EXPECT_EQ(svm::resolve_solver(svm::Solver::kAuto, {}, 0.5, 1'000'000), svm::Solver::kLibsvm);
  EXPECT_EQ(svm::resolve_solver(svm::Solver::kAuto, kernel, 0, 1'000'000), svm::Solver::kLibsvm);
  EXPECT_EQ(svm::resolve_solver(svm::Solver::kAuto, {}, 0, svm::kMostForMatrix), svm::Solver::kLibsvm);
  EXPECT_EQ(svm::resolve_solver(svm::Solver::kAuto, {}, 0, svm::kMostForMatrix + 1), svm::Solver::kLinear);
}

}  // namespace
}  // namespace twofold::testing
