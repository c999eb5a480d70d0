#pragma once

#include <cstddef>
#include <functional>

namespace twofold {

/// Cores this process may use (its CPU affinity counts), at least 1.
int available_threads();

/// What `--threads N` means: N itself, or all available for 0.
int resolve_threads(int threads);

/// Calls body(i) for every i in 0…count-1, on up to `threads` threads (0: all available), in no fixed order.
///
/// An exception does not leave the loop's threads: the remaining items are skipped and the exception of the
/// smallest failed item is thrown again here. Write results to places of their own, then they are the same for
/// any number of threads. Nested calls run serially. Denormals count as for the caller (base/denormals.h).
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

/// As parallel_for, but body(i, worker) also learns which of 0…resolve_threads(threads)-1 it runs on:
/// for buffers kept between items.
void parallel_for_workers(std::size_t count, int threads, const std::function<void(std::size_t, int)>& body);

}  // namespace twofold
