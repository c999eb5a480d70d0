#pragma once

#include <cstddef>
#include <vector>

#include "twofold/compute/net_readout.h"
#include "twofold/compute/net_stack.h"

namespace twofold::compute {

/// Where a part's gradient lies: in one buffer the parameters, then the sums by label of the stack and of the
/// attention; behind a front, in another one, those by the front's rows.
template <typename T>
struct PartGradient {
  StackGradient<T> stack;
  StackGradient<T> attention;

  static std::size_t size(const NetShape& shape, std::size_t num_labels);
  PartGradient(const NetShape& shape, std::size_t num_labels, T* buffer, T* input);

  /// Values of the second buffer, of a part with so many rows of a front of so many layers.
  static std::size_t front_size(const NetShape& shape, std::size_t front_layers, std::size_t num_front_rows);
  void set_front(const NetShape& shape, std::size_t front_layers, std::size_t num_front_rows, T* buffer);
};

/// The first layers of a batch on their way, forward and back, once for all its parts (NetFront). It stops
/// wherever a batch's statistics are needed, as StackPass does.
template <typename T>
class FrontPass {
 public:
  FrontPass(const NetShape& shape, const NetFront<T>& front, const SparseRows<T>& table,
            const StackShared<T>& stack, const StackShared<T>& attention, const PassContext<T>& context);

  EndPass<T>* forward();
  const T* stack_products() const { return stack_.products_behind(); }
  const T* attention_products() const { return has_attention_ ? attention_.products_behind() : nullptr; }

  /// What a part that has gone back found, to be called part by part in their order before backward.
  void add(const NetPart<T>& part, const PartGradient<T>& found);
  EndPass<T>* backward(const PartGradient<T>& gradient);

 private:
  const NetShape& shape_;
  std::size_t layers_;
  bool has_attention_;
  StackPass<T> stack_;
  StackPass<T> attention_;
};

/// One part on its way, forward and back. It stops wherever a batch's statistics are needed.
template <typename T>
class PartPass {
 public:
  /// `front`: what it goes on from, if there is one.
  PartPass(const NetShape& shape, const NetPart<T>& part, const typename NetBatch<T>::Size& size,
           const SparseRows<T>& table, const StackShared<T>& stack, const StackShared<T>& attention,
           const std::vector<ReadoutShared<T>>& readouts, const PassContext<T>& context,
           std::size_t front_layers, const FrontPass<T>* front);

  EndPass<T>* forward();
  const T* outputs() const { return outputs_; }
  const std::vector<ReadoutPass<T>>& readouts() const { return readouts_; }
  const StackPass<T>& stack() const { return stack_; }

  /// Adds to the gradients.
  EndPass<T>* backward(const T* doutputs, const PartGradient<T>& gradient);

 private:
  bool has_attention() const { return !shape_.attention.layers.empty(); }

  const NetShape& shape_;
  const NetPart<T>& part_;
  typename NetBatch<T>::Size size_;
  PassContext<T> context_;
  StackPass<T> stack_;
  StackPass<T> attention_;
  std::vector<ReadoutPass<T>> readouts_;
  const T* outputs_ = nullptr;
  // How many readouts have been gone through, and, backward, are left.
  std::size_t read_ = 0;
  bool readout_waits_ = false;
};

}  // namespace twofold::compute
