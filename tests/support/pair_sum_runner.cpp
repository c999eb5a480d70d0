#include "tests/support/pair_sum_runner.h"

#include <cstdlib>
#include <memory>

#include "tests/support/guarded_buffer.h"

namespace twofold::testing {
namespace {

// What a result must not contain.
template <typename T>
constexpr T kUntouched = T{-12345};

// As the padded buffers must be: aligned to a cache line.
template <typename T>
class AlignedBuffer {
 public:
  explicit AlignedBuffer(std::size_t size)
      : data_(static_cast<T*>(std::aligned_alloc(64, (size * sizeof(T) + 127) / 64 * 64)), &std::free) {
    std::fill(data_.get(), data_.get() + size, kUntouched<T>);
  }
  T* get() { return data_.get(); }

 private:
  std::unique_ptr<T, decltype(&std::free)> data_;
};

template <typename T>
GuardedBuffer<T> spread(const std::vector<double>& values, std::size_t d, std::size_t stride) {
  const std::size_t rows = d == 0 ? 0 : values.size() / d;
  GuardedBuffer<T> buffer(rows * stride, kUntouched<T>);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < d; ++c) buffer.get()[row * stride + c] = static_cast<T>(values[row * d + c]);
  return buffer;
}

template <typename T>
std::vector<double> collect(T* buffer, std::size_t rows, std::size_t d, std::size_t stride) {
  std::vector<double> values(rows * d);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < d; ++c) values[row * d + c] = static_cast<double>(buffer[row * stride + c]);
    for (std::size_t c = d; c < stride; ++c)
      EXPECT_EQ(buffer[row * stride + c], kUntouched<T>) << "behind row " << row;
  }
  return values;
}

}  // namespace

template <typename T>
PairSumResult run_pair_sum(const compute::PairSumForm<T>& form, const compute::PairPlan& plan,
                           compute::Activation activation, std::size_t d, const std::vector<double>& z,
                           const std::vector<double>& g, const std::vector<double>& bias, int threads,
                           std::size_t extra) {
  const std::size_t stride = d + extra;
  const std::size_t padded = compute::padded_width<T>(d);
  GuardedBuffer<T> z_buffer = spread<T>(z, d, stride);
  GuardedBuffer<T> g_buffer = spread<T>(g, d, stride);
  GuardedBuffer<T> bias_buffer = spread<T>(bias, d, d);
  AlignedBuffer<T> prepared(plan.num_sources * padded);
  AlignedBuffer<T> g_prepared(plan.num_rows * padded);
  GuardedBuffer<T> sums(plan.num_rows * stride, kUntouched<T>);
  GuardedBuffer<T> dz(plan.num_sources * stride, kUntouched<T>);
  std::vector<std::uint8_t> is_exact(plan.blocks.size());
  compute::PairSumArgs<T> args;
  args.plan = &plan;
  args.activation = activation;
  args.d = d;
  args.z = z_buffer.get();
  args.g = g_buffer.get();
  args.z_stride = args.g_stride = args.sums_stride = args.dz_stride = stride;
  args.bias = bias.empty() ? nullptr : bias_buffer.get();
  args.prepared = prepared.get();
  args.g_prepared = g_prepared.get();
  args.is_exact = is_exact.data();
  args.sums = sums.get();
  args.dz = dz.get();
  args.threads = threads;
  PairSumResult result;
  result.is_finite = form.forward(args);
  if (!result.is_finite) return result;
  result.sums = collect(args.sums, plan.num_rows, d, stride);
  form.backward(args);
  result.dz = collect(args.dz, plan.num_sources, d, stride);
  return result;
}

template PairSumResult run_pair_sum(const compute::PairSumForm<float>&, const compute::PairPlan&,
                                    compute::Activation, std::size_t, const std::vector<double>&,
                                    const std::vector<double>&, const std::vector<double>&, int, std::size_t);
template PairSumResult run_pair_sum(const compute::PairSumForm<double>&, const compute::PairPlan&,
                                    compute::Activation, std::size_t, const std::vector<double>&,
                                    const std::vector<double>&, const std::vector<double>&, int, std::size_t);

}  // namespace twofold::testing
