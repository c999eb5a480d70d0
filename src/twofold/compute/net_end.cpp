#include "twofold/compute/net_end.h"

#include <algorithm>
#include <cmath>

#include "twofold/compute/dense_layer.h"

namespace twofold::compute {
namespace {

bool needs_input(const EndShape& shape) {
  if (shape.groups.empty()) return slope_needs_input(shape.activation);
  return std::any_of(shape.groups.begin(), shape.groups.end(),
                     [](const auto& group) { return slope_needs_input(group.second); });
}

}  // namespace

template <typename T>
bool EndPass<T>::begin(const EndShape& shape, const PassContext<T>& context, std::size_t rows, std::size_t d,
                       T* y, const T* counts) {
  shape_ = &shape;
  context_ = context;
  rows_ = rows;
  d_ = d;
  y_ = y;
  is_finite_ = shape.bias == kNowhere || all_finite(d, at(shape.bias));
  if (!has_batch_statistics()) {
    is_finite_ = is_finite_ && all_finite(rows * d, y);
    return false;
  }
  batch_ = {};
  batch_.num_rows = rows;
  batch_.d = d;
  batch_.epsilon = context.norm_epsilon;
  batch_.relu = shape.groups.empty() && shape.activation == Activation::kRelu;
  batch_.x = y;
  batch_.weights = counts;
  batch_.scale = at(shape.scale);
  batch_.shift = at(shape.shift);
  double* const room = context.arena->template take<double>(4 * d);
  batch_.mean = room;
  batch_.variance = room + d;
  batch_.slopes = room + 2 * d;
  batch_.y_slopes = room + 3 * d;
  batch_norm_statistics(batch_);
  for (std::size_t c = 0; c < 2 * d; ++c) is_finite_ = is_finite_ && std::isfinite(room[c]);
  return true;
}

template <typename T>
void EndPass<T>::get_statistics(double* block) const {
  block[0] = batch_.total;
  std::copy_n(batch_.mean, d_, block + 1);
  std::copy_n(batch_.variance, d_, block + 1 + d_);
}

template <typename T>
void EndPass<T>::set_statistics(const double* block) {
  batch_.total = block[0];
  std::copy_n(block + 1, d_, batch_.mean);
  std::copy_n(block + 1 + d_, d_, batch_.variance);
}

template <typename T>
void EndPass<T>::get_slopes(double* block) const {
  std::copy_n(batch_.slopes, d_, block);
  std::copy_n(batch_.y_slopes, d_, block + d_);
}

template <typename T>
void EndPass<T>::set_slopes(const double* block) {
  // Running statistics do not move with a single row.
  if (batch_.total == 1) {
    std::fill_n(batch_.slopes, d_, 0.0);
    std::fill_n(batch_.y_slopes, d_, 0.0);
    return;
  }
  std::copy_n(block, d_, batch_.slopes);
  std::copy_n(block + d_, d_, batch_.y_slopes);
}

// Means and squares about them, of two sets of rows at a time (Chan, Golub and LeVeque 1979).
void merge_statistics(std::size_t d, const double* more, double* sum) {
  if (more[0] == 0) return;
  const double before = sum[0], total = before + more[0];
  double* const mean = sum + 1;
  double* const variance = sum + 1 + d;
  for (std::size_t c = 0; c < d; ++c) {
    const double apart = more[1 + c] - mean[c];
    mean[c] += apart * (more[0] / total);
    variance[c] = (variance[c] * before + more[1 + d + c] * more[0]) / total +
                  apart * apart * (before / total) * (more[0] / total);
  }
  sum[0] = total;
}

template <typename T>
void move_running_statistics(const EndShape& shape, std::size_t d, double momentum, double* batch,
                             T* parameters) {
  const double total = batch[0];
  if (total == 0) return;
  const double correction = total / std::max(total - 1, 1.0);
  const auto move = [&](T& value, double found) {
    value = static_cast<T>((1 - momentum) * static_cast<double>(value) + momentum * found);
  };
  for (std::size_t c = 0; c < d; ++c) {
    const double bias = shape.bias == kNowhere ? 0 : static_cast<double>(parameters[shape.bias + c]);
    T& mean = parameters[shape.mean + c];
    T& variance = parameters[shape.variance + c];
    if (total == 1) {
      batch[1 + c] = static_cast<double>(mean) - bias;
      batch[1 + d + c] = static_cast<double>(variance);
      continue;
    }
    move(mean, batch[1 + c] + bias);
    move(variance, batch[1 + d + c] * correction);
  }
}

template <typename T>
void add_norm_gradient(const EndShape& shape, std::size_t d, const double* slopes, T* gradient) {
  for (std::size_t c = 0; c < d; ++c) {
    gradient[shape.shift + c] += static_cast<T>(slopes[c]);
    gradient[shape.scale + c] += static_cast<T>(slopes[d + c]);
  }
}

// x from z, in place where slopes follow from x.
template <typename T>
void EndPass<T>::activate(const T* bias, T* z) {
  z_ = x_ = z;
  if (context_.goes_back && needs_input(*shape_)) {
    activate_rows(Activation::kIdentity, rows_, d_, bias, z);
    x_ = context_.arena->template take<T>(rows_ * d_);
    std::copy_n(z, rows_ * d_, x_);
    bias = nullptr;
  }
  if (shape_->groups.empty()) {
    activate_rows(shape_->activation, rows_, d_, bias, x_);
    return;
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t first = 0;
    for (const auto& [channels, activation] : shape_->groups) {
      activate_rows(activation, 1, channels, bias == nullptr ? nullptr : bias + first, x_ + row * d_ + first);
      first += channels;
    }
  }
}

template <typename T>
T* EndPass<T>::activate_backward(T* dx, T* dbias) const {
  if (shape_->groups.empty()) {
    activate_rows_backward(shape_->activation, rows_, d_, slope_needs_input(shape_->activation) ? z_ : x_, dx,
                           dx, dbias);
    return dx;
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t first = 0;
    for (const auto& [channels, activation] : shape_->groups) {
      const T* const from = (slope_needs_input(activation) ? z_ : x_) + row * d_ + first;
      T* const to = dx + row * d_ + first;
      activate_rows_backward(activation, 1, channels, from, to, to, dbias == nullptr ? nullptr : dbias + first);
      first += channels;
    }
  }
  return dx;
}

// z from y: each row to mean 0 and deviation 1, times scale, plus shift.
template <typename T>
void EndPass<T>::normalize_rows() {
  const T* const bias = at(shape_->bias);
  if (bias != nullptr) activate_rows(Activation::kIdentity, rows_, d_, bias, y_);
  row_mean_ = context_.arena->template take<T>(rows_);
  row_inverse_ = context_.arena->template take<T>(rows_);
  T* const z = context_.goes_back ? context_.arena->template take<T>(rows_ * d_) : y_;
  const T* const scale = at(shape_->scale);
  const T* const shift = at(shape_->shift);
  const double share = 1 / static_cast<double>(d_);
  for (std::size_t row = 0; row < rows_; ++row) {
    const T* const y = y_ + row * d_;
    double mean = 0, square = 0;
    for (std::size_t c = 0; c < d_; ++c) mean += static_cast<double>(y[c]);
    mean *= share;
    for (std::size_t c = 0; c < d_; ++c) {
      const double x = static_cast<double>(y[c]) - mean;
      square += x * x;
    }
    const T center = row_mean_[row] = static_cast<T>(mean);
    const T inverse = row_inverse_[row] = static_cast<T>(1 / std::sqrt(square * share + context_.norm_epsilon));
    for (std::size_t c = 0; c < d_; ++c) z[row * d_ + c] = (y[c] - center) * inverse * scale[c] + shift[c];
  }
  z_ = z;
}

template <typename T>
void EndPass<T>::normalize_rows_backward(T* dz, T* gradient) const {
  const T* const scale = at(shape_->scale);
  T* const dscale = gradient + shape_->scale;
  T* const dshift = gradient + shape_->shift;
  T* const dbias = shape_->bias == kNowhere ? nullptr : gradient + shape_->bias;
  const double share = 1 / static_cast<double>(d_);
  for (std::size_t row = 0; row < rows_; ++row) {
    const T* const y = y_ + row * d_;
    T* const g = dz + row * d_;
    const T center = row_mean_[row], inverse = row_inverse_[row];
    double slope = 0, y_slope = 0;
    for (std::size_t c = 0; c < d_; ++c) {
      const T at_y = (y[c] - center) * inverse;
      dshift[c] += g[c];
      dscale[c] += g[c] * at_y;
      g[c] *= scale[c];
      slope += static_cast<double>(g[c]);
      y_slope += static_cast<double>(g[c] * at_y);
    }
    const T by_mean = static_cast<T>(slope * share), by_y = static_cast<T>(y_slope * share);
    for (std::size_t c = 0; c < d_; ++c) {
      g[c] = inverse * (g[c] - by_mean - (y[c] - center) * inverse * by_y);
      if (dbias != nullptr) dbias[c] += g[c];
    }
  }
}

template <typename T>
void EndPass<T>::finish() {
  switch (shape_->norm) {
    case Norm::kNone:
      activate(at(shape_->bias), y_);
      return;
    case Norm::kLayer:
      normalize_rows();
      activate(nullptr, z_);
      return;
    case Norm::kBatch:
      break;
  }
  if (context_.trains) {
    // The bias is taken out again, so it never goes in.
    T* const z = context_.arena->template take<T>(rows_ * d_);
    batch_.out = z;
    batch_norm(batch_);
    if (batch_.relu)
      z_ = x_ = z;
    else
      activate(nullptr, z);
    return;
  }
  factor_ = context_.arena->template take<T>(2 * d_);
  T* const shift = factor_ + d_;
  const T* const bias = at(shape_->bias);
  for (std::size_t c = 0; c < d_; ++c) {
    const double deviation = std::sqrt(static_cast<double>(at(shape_->variance)[c]) + context_.norm_epsilon);
    factor_[c] = static_cast<T>(static_cast<double>(at(shape_->scale)[c]) / deviation);
    shift[c] = at(shape_->shift)[c] + ((bias == nullptr ? T{0} : bias[c]) - at(shape_->mean)[c]) * factor_[c];
  }
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t c = 0; c < d_; ++c) y_[row * d_ + c] *= factor_[c];
  activate(shift, y_);
}

template <typename T>
bool EndPass<T>::begin_backward(T* dx) {
  dx_ = dx;
  if (!has_batch_statistics()) return false;
  if (!batch_.relu) activate_backward(dx, nullptr);
  batch_.dout = dx;
  batch_.dx = dx;
  batch_norm_slopes(batch_);
  return true;
}

template <typename T>
T* EndPass<T>::finish_backward(T* gradient) {
  switch (shape_->norm) {
    case Norm::kNone:
      return activate_backward(dx_, shape_->bias == kNowhere ? nullptr : gradient + shape_->bias);
    case Norm::kLayer:
      activate_backward(dx_, nullptr);
      normalize_rows_backward(dx_, gradient);
      return dx_;
    case Norm::kBatch:
      break;
  }
  if (context_.trains) {
    batch_norm_backward(batch_);
    if (batch_.total == 1 && shape_->bias != kNowhere)
      for (std::size_t i = 0; i < rows_ * d_; ++i) gradient[shape_->bias + i % d_] += dx_[i];
    return dx_;
  }
  // By running statistics it is a linear map. Its parameters are not learnt so.
  activate_backward(dx_, nullptr);
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t c = 0; c < d_; ++c) dx_[row * d_ + c] *= factor_[c];
  return dx_;
}

template class EndPass<float>;
template class EndPass<double>;
template void move_running_statistics(const EndShape&, std::size_t, double, double*, float*);
template void move_running_statistics(const EndShape&, std::size_t, double, double*, double*);
template void add_norm_gradient(const EndShape&, std::size_t, const double*, float*);
template void add_norm_gradient(const EndShape&, std::size_t, const double*, double*);

}  // namespace twofold::compute
