#include "twofold/svm/svc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::testing {
namespace {

using svm::Svc;
using Classes = std::vector<std::uint32_t>;

// On a matrix, row by row.
Svc train_svc(const std::vector<double>& kernel, const Classes& classes, std::size_t num_classes,
              const svm::SvcOptions& options = {}) {
  const auto row = [&](std::size_t i, std::vector<double>& values) {
    for (std::size_t j = 0; j < classes.size(); ++j) values[j] = kernel[i * classes.size() + j];
  };
  return svm::train_svc(row, classes, num_classes, options);
}

std::vector<double> products(const std::vector<double>& x) {
  std::vector<double> kernel;
  for (const double a : x)
    for (const double b : x) kernel.push_back(a * b);
  return kernel;
}

// Two points on the line: alpha = 2 / (x1 - x0)², the border in the middle (the textbook's smallest problem).
TEST(Svc, PutsTheBorderBetweenTwoPoints) {
  const Svc svc = train_svc(products({1, 3}), Classes{0, 1}, 2, {100, 1e-9});
  EXPECT_NEAR(svc.coefficient(0, 0), 0.5, 1e-6);
  EXPECT_NEAR(svc.coefficient(0, 1), -0.5, 1e-6);
  EXPECT_NEAR(svc.decisions(std::vector<double>{2, 6})[0], 0, 1e-6);
  EXPECT_NEAR(svc.decisions(std::vector<double>{1, 3})[0], 1, 1e-6);
}

TEST(Svc, DecisionsDoNotDependOnWhichClassComesFirst) {
  const Svc a = train_svc(products({1, 3, 0, 5}), Classes{0, 1, 0, 1}, 2, {1, 1e-9});
  const Svc b = train_svc(products({3, 1, 5, 0}), Classes{1, 0, 1, 0}, 2, {1, 1e-9});
  EXPECT_NEAR(a.coefficient(0, 0), b.coefficient(0, 1), 1e-6);
  EXPECT_NEAR(a.rho[0], b.rho[0], 1e-6);
}

TEST(Svc, KeepsOfHundredsOfClassesOnlyTheSupportVectorsOfEachPair) {
  constexpr std::size_t kClasses = 120;
  std::vector<double> kernel;
  Classes classes;
  for (std::size_t i = 0; i < 3 * kClasses; ++i) classes.push_back(static_cast<std::uint32_t>(i % kClasses));
  for (const std::uint32_t a : classes)
    for (const std::uint32_t b : classes) kernel.push_back(a == b ? 2 : 1);
  const Svc svc = train_svc(kernel, classes, kClasses, {1, 1e-3});
  ASSERT_EQ(svc.num_pairs(), kClasses * (kClasses - 1) / 2);
  std::size_t pair = 0;
  for (std::uint32_t a = 0; a < kClasses; ++a)
    for (std::uint32_t b = a + 1; b < kClasses; ++b, ++pair)
      for (const svm::Support& support : svc.supports[pair])
        ASSERT_TRUE(classes[support.graph] == a || classes[support.graph] == b) << a << " " << b;
  const std::size_t n = classes.size();
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(svm::voted_class(svc.decisions({kernel.data() + i * n, n}), kClasses), classes[i]);
}

TEST(Svc, SatisfiesTheConditionsOfTheDual) {
  Random random(3);
  const std::size_t n = 40;
  std::vector<double> x;
  Classes classes;
  for (std::size_t i = 0; i < n; ++i) {
    classes.push_back(static_cast<std::uint32_t>(random.below(2)));
    x.push_back(random.normal() + classes.back());
  }
  const double penalty = 0.1;
  const auto kernel = products(x);
  const Svc svc = train_svc(kernel, classes, 2, {penalty, 1e-8});
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = classes[i] == 0 ? 1 : -1;
    const double alpha = y * svc.coefficient(0, i);
    sum += svc.coefficient(0, i);
    EXPECT_GE(alpha, -1e-9);
    EXPECT_LE(alpha, penalty + 1e-9);
    const double margin = y * svc.decisions({kernel.data() + i * n, n})[0];
    if (alpha < 1e-9) {
      EXPECT_GE(margin, 1 - 1e-4);
    }
    if (alpha > penalty - 1e-9) {
      EXPECT_LE(margin, 1 + 1e-4);
    }
    if (alpha > 1e-9 && alpha < penalty - 1e-9) {
      EXPECT_NEAR(margin, 1, 1e-4);
    }
  }
  EXPECT_NEAR(sum, 0, 1e-9);
}

TEST(Svc, TellsThreeClassesApart) {
  const std::vector<double> x = {0, 1, 10, 11, 20, 21};
  std::vector<double> kernel;
  for (const double a : x)
    for (const double b : x) kernel.push_back(std::exp(-(a - b) * (a - b) / 20));
  const Classes classes = {2, 2, 0, 0, 1, 1};
  const Svc svc = train_svc(kernel, classes, 3);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(svm::voted_class(svc.decisions({kernel.data() + 6 * i, 6}), 3), classes[i]);
}

TEST(Svc, GivesOneScorePerClassAndTheLargestToTheVotedClass) {
  EXPECT_EQ(svm::class_scores(std::vector<double>{-2.5}, 2), (std::vector<double>{-2.5, 2.5}));
  Random random(1);
  for (std::size_t classes = 2; classes <= 9; ++classes)
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> decisions;
      for (std::size_t pair = 0; pair < classes * (classes - 1) / 2; ++pair)
        decisions.push_back(random.uniform() - 0.5);
      const std::vector<double> scores = svm::class_scores(decisions, classes);
      ASSERT_EQ(scores.size(), classes);
      EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(),
                static_cast<std::ptrdiff_t>(svm::voted_class(decisions, classes)));
    }
}

TEST(Svc, VotesForTheClassThatIsThereWhereOthersAreMissing) {
  const Svc one = train_svc(products({1, 2}), Classes{1, 1}, 3);
  EXPECT_EQ(svm::voted_class(one.decisions(std::vector<double>{5, 5}), 3), 1u);
  const Svc two = train_svc(products({1, 3}), Classes{0, 2}, 3);
  EXPECT_EQ(svm::voted_class(two.decisions(std::vector<double>{3, 9}), 3), 2u);
  EXPECT_EQ(svm::voted_class(two.decisions(std::vector<double>{1, 3}), 3), 0u);
}

TEST(Svc, RefusesWhatItCannotTrainOn) {
  EXPECT_THROW(train_svc(std::vector<double>{}, Classes{}, 2), InputError);
  EXPECT_THROW(train_svc(std::vector<double>{1, 2, 3, std::nan("")}, Classes{0, 1}, 2), InputError);
  EXPECT_THROW(train_svc(std::vector<double>{1}, Classes{0}, 2, {0}), UsageError);
  const auto ones = [](std::size_t, std::vector<double>& row) { std::fill(row.begin(), row.end(), 1.0); };
  EXPECT_THROW(svm::train_svc(ones, Classes{0, 1, 2}, 3, {}, 100), Error);
  EXPECT_THROW(svm::train_svc(ones, Classes{0, 3}, 3), CheckError);
}

TEST(Svc, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  train_svc(products({1, 3}), Classes{0, 1}, 2);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace twofold::testing
