#include <algorithm>
#include <cmath>

#include "twofold/compute/pair_sum.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::compute {
namespace {

double value_of(Activation activation, double x) {
  switch (activation) {
    case Activation::kIdentity:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : 0;
    case Activation::kLogistic:
      return 1 / (1 + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kGelu:
    case Activation::kSilu:
      break;  // not for triples
  }
  return 0;
}

double slope_of(Activation activation, double x) {
  switch (activation) {
    case Activation::kIdentity:
      return 1;
    case Activation::kRelu:
      return x > 0 ? 1 : 0;
    case Activation::kLogistic:
      return value_of(activation, x) * value_of(activation, -x);
    case Activation::kTanh:
      return 1 - std::tanh(x) * std::tanh(x);
    case Activation::kGelu:
    case Activation::kSilu:
      break;
  }
  return 0;
}

// Calls visit(row, a, b, multiplicity) for every triple, all numbered in the whole batch.
template <typename Visit>
void for_each_triple(const PairPlan& plan, const Visit& visit) {
  pairs::TripleScan scan;
  for (const PairBlock& block : plan.blocks) {
    if (block.level != nullptr) {
      for (std::size_t row = 0; row < block.num_rows(); ++row)
        for (std::uint64_t k = block.level->offsets[row]; k < block.level->offsets[row + 1]; ++k)
          visit(block.first_row + row, block.first_source + block.level->items[k].a,
                block.first_source + block.level->items[k].b, block.level->multiplicity[k]);
      continue;
    }
    scan.begin(*block.set);
    for (Node i = 0; i < block.set->num_nodes(); ++i)
      scan.rows_of(i, [&](pairs::Row row, Span<const pairs::RowPair> triples) {
        for (const pairs::RowPair triple : triples)
          visit(block.first_row + row, block.first_source + triple.a, block.first_source + triple.b, 1);
      });
  }
}

template <typename T>
double argument(const PairSumArgs<T>& args, std::uint64_t a, std::uint64_t b, std::size_t c) {
  return static_cast<double>(args.z[a * args.z_stride + c]) +
         static_cast<double>(args.z[b * args.z_stride + c]) +
         (args.bias == nullptr ? 0.0 : static_cast<double>(args.bias[c]));
}

}  // namespace

template <typename T>
bool pair_sum_reference(const PairSumArgs<T>& args) {
  for (std::size_t c = 0; c < args.d; ++c) {
    if (args.bias != nullptr && !std::isfinite(args.bias[c])) return false;
    for (std::uint64_t row = 0; row < args.plan->num_sources; ++row)
      if (!std::isfinite(args.z[row * args.z_stride + c])) return false;
  }
  std::vector<double> sums(args.plan->num_rows * args.d, 0.0);
  for_each_triple(*args.plan, [&](std::uint64_t row, std::uint64_t a, std::uint64_t b, double times) {
    for (std::size_t c = 0; c < args.d; ++c)
      sums[row * args.d + c] += times * value_of(args.activation, argument(args, a, b, c));
  });
  for (std::uint64_t row = 0; row < args.plan->num_rows; ++row)
    for (std::size_t c = 0; c < args.d; ++c)
      args.sums[row * args.sums_stride + c] = static_cast<T>(sums[row * args.d + c]);
  return std::all_of(sums.begin(), sums.end(), [](double sum) { return std::isfinite(static_cast<T>(sum)); });
}

template <typename T>
void pair_sum_backward_reference(const PairSumArgs<T>& args) {
  std::vector<double> dz(args.plan->num_sources * args.d, 0.0);
  for_each_triple(*args.plan, [&](std::uint64_t row, std::uint64_t a, std::uint64_t b, double times) {
    for (std::size_t c = 0; c < args.d; ++c) {
      const double slope = times * static_cast<double>(args.g[row * args.g_stride + c]) *
                           slope_of(args.activation, argument(args, a, b, c));
      dz[a * args.d + c] += slope;
      dz[b * args.d + c] += slope;
    }
  });
  for (std::uint64_t row = 0; row < args.plan->num_sources; ++row)
    for (std::size_t c = 0; c < args.d; ++c)
      args.dz[row * args.dz_stride + c] = static_cast<T>(dz[row * args.d + c]);
}

template bool pair_sum_reference(const PairSumArgs<float>&);
template bool pair_sum_reference(const PairSumArgs<double>&);
template void pair_sum_backward_reference(const PairSumArgs<float>&);
template void pair_sum_backward_reference(const PairSumArgs<double>&);

}  // namespace twofold::compute
