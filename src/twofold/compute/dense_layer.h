#pragma once

#include <cstddef>

#include "twofold/compute/activation.h"

namespace twofold::compute {

/// Whether none of the values is infinite or no number.
template <typename T>
bool all_finite(std::size_t count, const T* values);

/// y = act(y + bias) in place, `rows` rows of d values. Null bias: none. One thread.
template <typename T>
void activate_rows(Activation activation, std::size_t rows, std::size_t d, const T* bias, T* y);

/// dx = dy * act'(x), given y = act(x), or, where slope_needs_input, x itself; dx may be dy. Adds the sum of dx
/// over rows to dbias unless null.
template <typename T>
void activate_rows_backward(Activation activation, std::size_t rows, std::size_t d, const T* y, const T* dy,
                            T* dx, T* dbias);

}  // namespace twofold::compute
