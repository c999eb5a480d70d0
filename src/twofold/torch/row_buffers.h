#pragma once

#include <torch/types.h>

#include <cstdint>

namespace twofold::tensors {

/// A new tensor of rows x columns values of `like`'s type on the CPU, not filled, aligned to 64 bytes.
///
/// Its memory comes from, and goes back to, buffers kept from batch to batch: a fresh allocation of many
/// megabytes costs as much in page faults as the loops that fill it. At most 512 MiB are kept. Safe to call
/// from any thread.
torch::Tensor empty_rows(std::uint64_t rows, std::uint64_t columns, const torch::Tensor& like);

/// Gives back all buffers that no tensor uses.
void drop_row_buffers();

}  // namespace twofold::tensors
