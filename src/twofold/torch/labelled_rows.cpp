#include "twofold/torch/labelled_rows.h"

#include <torch/torch.h>

#include <algorithm>

#include "twofold/base/parallel.h"
#include "twofold/torch/tensor_checks.h"

namespace twofold::tensors {
namespace {

// Rows are added up in this many stretches at most, and those in their order.
constexpr std::int64_t kStretches = 8;

template <typename T>
void add_stretch(const torch::Tensor& rows, const torch::Tensor& labels, std::int64_t begin, std::int64_t end,
                 T* sums) {
  const std::int64_t columns = rows.size(1);
  const T* from = rows.data_ptr<T>();
  const std::int64_t* label = labels.data_ptr<std::int64_t>();
  for (std::int64_t f = begin; f < end; ++f) {
    T* to = sums + label[f] * columns;
    for (std::int64_t c = 0; c < columns; ++c) to[c] += from[f * columns + c];
  }
}

}  // namespace

void check_labelled_rows(const char* op, const LabelledRows& z, std::uint64_t rows) {
  TORCH_CHECK(z.table.defined() && z.labels.defined(), op, ": the table or the labels are missing");
  check_rows(op, z.table, static_cast<std::uint64_t>(z.table.size(0)));
  TORCH_CHECK(z.labels.device().is_cpu() && z.labels.scalar_type() == torch::kLong && z.labels.dim() == 1, op,
              ": labels must be a vector of int64 on the CPU, found ", z.labels.scalar_type(), " of shape ",
              z.labels.sizes());
  TORCH_CHECK(static_cast<std::uint64_t>(z.labels.size(0)) == rows, op, ": there are ", z.labels.size(0),
              " labels, the pair set has ", rows, " pairs");
  if (rows == 0) return;
  const std::int64_t smallest = z.labels.min().item<std::int64_t>();
  const std::int64_t largest = z.labels.max().item<std::int64_t>();
  TORCH_CHECK(smallest >= 0 && largest < z.table.size(0), op, ": labels must be from 0 to ",
              z.table.size(0) - 1, ", found ", smallest < 0 ? smallest : largest);
}

torch::Tensor add_by_label(const torch::Tensor& rows, const torch::Tensor& labels, std::int64_t num_labels,
                           int threads) {
  const std::int64_t count = rows.size(0);
  const torch::Tensor parts = torch::zeros({kStretches, num_labels, rows.size(1)}, rows.options());
  parallel_for(kStretches, threads, [&](std::size_t k) {
    const auto stretch = static_cast<std::int64_t>(k);
    const std::int64_t begin = count * stretch / kStretches;
    const std::int64_t end = count * (stretch + 1) / kStretches;
    const std::int64_t offset = stretch * num_labels * rows.size(1);
    if (rows.scalar_type() == torch::kFloat)
      add_stretch<float>(rows, labels, begin, end, parts.data_ptr<float>() + offset);
    else
      add_stretch<double>(rows, labels, begin, end, parts.data_ptr<double>() + offset);
  });
  return parts.sum(0);
}

}  // namespace twofold::tensors
