#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "twofold/base/random.h"
#include "twofold/compute/pair_sum.h"

namespace twofold::testing {

/// What a form of the pair sum gives for z and g, dense and in double.
struct PairSumResult {
  bool is_finite = true;
  std::vector<double> sums;
  std::vector<double> dz;
};

/// Runs `form` in T on buffers whose strides differ from d by `extra`, so that a form that mixes them up is
/// seen.
template <typename T>
PairSumResult run_pair_sum(const compute::PairSumForm<T>& form, const compute::PairPlan& plan,
                           compute::Activation activation, std::size_t d, const std::vector<double>& z,
                           const std::vector<double>& g, const std::vector<double>& bias = {}, int threads = 1,
                           std::size_t extra = 3);

extern template PairSumResult run_pair_sum(const compute::PairSumForm<float>&, const compute::PairPlan&,
                                           compute::Activation, std::size_t, const std::vector<double>&,
                                           const std::vector<double>&, const std::vector<double>&, int,
                                           std::size_t);
extern template PairSumResult run_pair_sum(const compute::PairSumForm<double>&, const compute::PairPlan&,
                                           compute::Activation, std::size_t, const std::vector<double>&,
                                           const std::vector<double>&, const std::vector<double>&, int,
                                           std::size_t);

}  // namespace twofold::testing
