#pragma once

#include <torch/types.h>

#include <cstdint>

namespace twofold::tensors {

/// Features of rows that come in a few kinds: row f is row labels[f] of `table`, so that a product with them is
/// a look-up in the product with the table (pairs/pair_features.h: label_features and row_labels).
struct LabelledRows {
  /// One row a kind, float or double.
  torch::Tensor table;
  /// One int64 a row, from 0 to the number of kinds - 1.
  torch::Tensor labels;
};

/// Throws c10::Error, starting with `op` and naming need and found, unless the sentences above hold and there
/// are `rows` labels. O(rows).
void check_labelled_rows(const char* op, const LabelledRows& z, std::uint64_t rows);

/// sums[l,:] = sum over the rows f with labels[f] = l of rows[f,:]: the gradient of a look-up. Float or double,
/// contiguous. The same bits for any number of threads (0: all there are).
torch::Tensor add_by_label(const torch::Tensor& rows, const torch::Tensor& labels, std::int64_t num_labels,
                           int threads);

}  // namespace twofold::tensors
