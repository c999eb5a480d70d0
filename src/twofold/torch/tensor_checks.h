#pragma once

#include <torch/types.h>

#include <cstdint>

namespace twofold::tensors {

/// All of these throw c10::Error whose message starts with `op` and says what was needed and what was found.

/// A 2-D tensor of float or double on the CPU with that many rows.
void check_rows(const char* op, const torch::Tensor& z, std::uint64_t rows);

/// Undefined, or a vector of d values of z's type on the CPU.
void check_vector(const char* op, const char* name, const torch::Tensor& bias, std::int64_t d,
                  const torch::Tensor& z);

/// rows x columns of z's type on the CPU.
void check_matrix(const char* op, const char* name, const torch::Tensor& weight, std::int64_t rows,
                  std::int64_t columns, const torch::Tensor& z);

/// Throws, naming the first value of `z` that is not finite, or `otherwise` if all are.
[[noreturn]] void throw_not_finite(const char* op, const char* name, const torch::Tensor& z,
                                   const char* otherwise);

/// body(float{}) or body(double{}), as the values of `z` are; it has been checked to have one of both.
template <typename F>
auto with_type(const torch::Tensor& z, const F& body) {
  return z.scalar_type() == torch::kFloat ? body(float{}) : body(double{});
}

}  // namespace twofold::tensors
