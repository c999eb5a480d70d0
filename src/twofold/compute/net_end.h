#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/compute/arena.h"
#include "twofold/compute/batch_norm.h"
#include "twofold/compute/net_shape.h"

namespace twofold::compute {

/// What all that computes one part of a batch has in common.
template <typename T>
struct PassContext {
  const T* parameters = nullptr;
  // Whether batch normalization goes by the batch, or by its running statistics.
  bool trains = false;
  // Whether backward will be called, which needs more to be kept.
  bool goes_back = false;
  double norm_epsilon = 0;
  // Of what layers read, and from which it follows: another one for every part of a batch.
  double layer_dropout = 0;
  std::uint64_t seed = 0;
  Arena* arena = nullptr;
  // For use within the part; changes no bit.
  int threads = 1;
};

/// Bias, normalization and activation of the rows of one part of a batch, forward and back.
///
/// Where a batch is normalized by its own statistics, begin and begin_backward return true: the caller then
/// merges those of all parts before it goes on to finish.
template <typename T>
class EndPass {
 public:
  /// `y`: rows of d values, kept or overwritten, and valid until backward is done; counts: as in NetStep.
  bool begin(const EndShape& shape, const PassContext<T>& context, std::size_t rows, std::size_t d, T* y,
             const T* counts);
  void finish();
  /// What it all gave: rows of d values.
  T* x() const { return x_; }
  /// False if a value that went in was infinite or no number.
  bool is_finite() const { return is_finite_; }

  /// `dx` may be overwritten.
  bool begin_backward(T* dx);
  /// The gradient of y, which may be dx itself. Adds to those of the parameters, but not to those of a batch's
  /// normalization: norm_gradient does that once for all parts.
  T* finish_backward(T* gradient);

  /// After begin: rows, then the means and the variances of the d columns, of the part alone until they are set
  /// to those that the batch is normalized by.
  void get_statistics(double* block) const;
  void set_statistics(const double* block);
  /// After begin_backward: the same for the slopes, 2 d values.
  void get_slopes(double* block) const;
  void set_slopes(const double* block);

 private:
  bool has_batch_statistics() const { return shape_->norm == Norm::kBatch && context_.trains; }
  const T* at(std::size_t place) const { return place == kNowhere ? nullptr : context_.parameters + place; }
  void activate(const T* bias, T* z);
  T* activate_backward(T* dx, T* dbias) const;
  void normalize_rows();
  void normalize_rows_backward(T* dz, T* gradient) const;

  const EndShape* shape_ = nullptr;
  PassContext<T> context_;
  std::size_t rows_ = 0;
  std::size_t d_ = 0;
  T* y_ = nullptr;
  // Before and behind the activation; the same where slopes follow from what it gave.
  T* z_ = nullptr;
  T* x_ = nullptr;
  T* dx_ = nullptr;
  // By running statistics, per channel; by row, the mean and the inverse deviation of each.
  T* factor_ = nullptr;
  T* row_mean_ = nullptr;
  T* row_inverse_ = nullptr;
  BatchNormArgs<T> batch_;
  bool is_finite_ = true;
};

/// Adds the statistics `more` (as of EndPass) to those in `sum`.
void merge_statistics(std::size_t d, const double* more, double* sum);
/// Moves the running statistics, which are among the parameters, on by those of a batch. A batch of a single
/// row has none: its own mean would make 0 of it, and its deviation of 0 would spoil the running one. It is
/// given the running statistics instead, which stay as they are.
template <typename T>
void move_running_statistics(const EndShape& shape, std::size_t d, double momentum, double* batch,
                             T* parameters);
/// Adds to the gradient of a batch's normalization, from the slopes of all parts.
template <typename T>
void add_norm_gradient(const EndShape& shape, std::size_t d, const double* slopes, T* gradient);

}  // namespace twofold::compute
