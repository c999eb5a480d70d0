#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

void check_type(const char* op, const char* name, const torch::Tensor& x) {
  TORCH_CHECK(x.device().is_cpu(), op, ": ", name, " must be on the CPU, found ", x.device());
  TORCH_CHECK(x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kDouble, op, ": ", name,
              " must be float or double, found ", x.scalar_type());
}

}  // namespace

void check_rows(const char* op, const torch::Tensor& z, std::uint64_t rows) {
  TORCH_CHECK(z.defined(), op, ": features are missing");
  TORCH_CHECK(z.dim() == 2, op, ": features must have 2 dimensions, found ", z.dim());
  check_type(op, "features", z);
  TORCH_CHECK(static_cast<std::uint64_t>(z.size(0)) == rows, op, ": features have ", z.size(0),
              " rows, the pair set has ", rows, " pairs");
}

void check_vector(const char* op, const char* name, const torch::Tensor& bias, std::int64_t d,
                  const torch::Tensor& z) {
  if (!bias.defined()) return;
  TORCH_CHECK(bias.dim() == 1 && bias.size(0) == d, op, ": ", name, " must have ", d, " values, found shape ",
              bias.sizes());
  TORCH_CHECK(bias.scalar_type() == z.scalar_type(), op, ": features are ", z.scalar_type(), ", ", name, " is ",
              bias.scalar_type());
  check_type(op, name, bias);
}

void check_matrix(const char* op, const char* name, const torch::Tensor& weight, std::int64_t rows,
                  std::int64_t columns, const torch::Tensor& z) {
  TORCH_CHECK(weight.defined(), op, ": ", name, " is missing");
  TORCH_CHECK(weight.dim() == 2 && weight.size(0) == rows && weight.size(1) == columns, op, ": ", name,
              " must be ", rows, " x ", columns, ", found shape ", weight.sizes());
  TORCH_CHECK(weight.scalar_type() == z.scalar_type(), op, ": features are ", z.scalar_type(), ", ", name,
              " is ", weight.scalar_type());
  check_type(op, name, weight);
}

void throw_not_finite(const char* op, const char* name, const torch::Tensor& z, const char* otherwise) {
  const torch::Tensor bad = torch::isfinite(z.detach()).logical_not().nonzero();
  TORCH_CHECK_VALUE(bad.size(0) == 0, op, ": ", name, " must be finite, found ",
                    z.index({bad[0][0], bad[0][1]}).item<double>(), " in row ", bad[0][0].item<std::int64_t>(),
                    ", column ", bad[0][1].item<std::int64_t>());
  TORCH_CHECK_VALUE(false, op, ": ", otherwise);
  std::abort();  // not reached; the macro above always throws, which the compiler cannot see
}

}  // namespace twofold::tensors
