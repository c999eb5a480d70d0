#include "twofold/compute/net_part.h"

#include <utility>

namespace twofold::compute {
namespace {

// Columns of the products that parts take over from a front.
std::size_t front_columns(const StackShape& stack, std::size_t front_layers) {
  return front_layers == 0 || stack.layers.empty() ? 0 : stack.layers[front_layers].columns();
}

// Those layers of a stack, or none of one that has no layers.
StackRange range_of(const StackShape& stack, std::size_t begin, std::size_t end) {
  return stack.layers.empty() ? StackRange{} : StackRange{begin, end};
}

}  // namespace

template <typename T>
std::size_t PartGradient<T>::size(const NetShape& shape, std::size_t num_labels) {
  return shape.num_parameters + num_label_sums(shape.stack, num_labels) +
         num_label_sums(shape.attention, num_labels);
}

template <typename T>
PartGradient<T>::PartGradient(const NetShape& shape, std::size_t num_labels, T* buffer, T* input) {
  T* at = buffer + shape.num_parameters;
  for (auto [part, gradient] : {std::pair{&shape.stack, &stack}, std::pair{&shape.attention, &attention}}) {
    gradient->parameters = buffer;
    gradient->input = input;
    gradient->labels.assign(part->layers.size(), nullptr);
    for (std::size_t k = 0; k < part->layers.size(); ++k) {
      if (!part->sees_input(k)) continue;
      gradient->labels[k] = at;
      at += num_labels * part->layers[k].columns();
    }
  }
}

template <typename T>
std::size_t PartGradient<T>::front_size(const NetShape& shape, std::size_t front_layers,
                                        std::size_t num_front_rows) {
  return num_front_rows *
         (front_columns(shape.stack, front_layers) + front_columns(shape.attention, front_layers));
}

template <typename T>
void PartGradient<T>::set_front(const NetShape& shape, std::size_t front_layers, std::size_t num_front_rows,
                                T* buffer) {
  stack.front = buffer;
  attention.front = buffer + num_front_rows * front_columns(shape.stack, front_layers);
}

template <typename T>
FrontPass<T>::FrontPass(const NetShape& shape, const NetFront<T>& front, const SparseRows<T>& table,
                        const StackShared<T>& stack, const StackShared<T>& attention,
                        const PassContext<T>& context)
    : shape_(shape),
      layers_(front.layers),
      has_attention_(!shape.attention.layers.empty()),
      stack_(shape.stack, front.part, table, stack, context, range_of(shape.stack, 0, front.layers)),
      attention_(shape.attention, front.part, table, attention, context,
                 range_of(shape.attention, 0, front.layers)) {}

template <typename T>
EndPass<T>* FrontPass<T>::forward() {
  if (EndPass<T>* const waiting = stack_.forward()) return waiting;
  return has_attention_ ? attention_.forward() : nullptr;
}

template <typename T>
void FrontPass<T>::add(const NetPart<T>& part, const PartGradient<T>& found) {
  const auto add_to = [&](const StackShape& shape, const T* from, T* to) {
    const std::size_t columns = front_columns(shape, layers_);
    add_rows_by_label<T>(part.num_front_rows, part.front_rows, columns, {from, columns}, {to, columns});
  };
  add_to(shape_.stack, found.stack.front, stack_.products_gradient());
  if (has_attention_) add_to(shape_.attention, found.attention.front, attention_.products_gradient());
}

template <typename T>
EndPass<T>* FrontPass<T>::backward(const PartGradient<T>& gradient) {
  if (has_attention_)
    if (EndPass<T>* const waiting = attention_.backward(gradient.attention)) return waiting;
  return stack_.backward(gradient.stack);
}

template <typename T>
PartPass<T>::PartPass(const NetShape& shape, const NetPart<T>& part, const typename NetBatch<T>::Size& size,
                      const SparseRows<T>& table, const StackShared<T>& stack, const StackShared<T>& attention,
                      const std::vector<ReadoutShared<T>>& readouts, const PassContext<T>& context,
                      std::size_t front_layers, const FrontPass<T>* front)
    : shape_(shape),
      part_(part),
      size_(size),
      context_(context),
      stack_(shape.stack, part, table, stack, context,
             range_of(shape.stack, front_layers, shape.stack.layers.size()),
             front == nullptr ? nullptr : front->stack_products()),
      attention_(shape.attention, part, table, attention, context,
                 range_of(shape.attention, front_layers, shape.attention.layers.size()),
                 front == nullptr ? nullptr : front->attention_products()) {
  for (std::size_t r = 0; r < readouts.size(); ++r)
    readouts_.emplace_back(shape, shape.readouts[r], readouts[r], context);
}

template <typename T>
EndPass<T>* PartPass<T>::forward() {
  if (EndPass<T>* const waiting = stack_.forward()) return waiting;
  if (has_attention())
    if (EndPass<T>* const waiting = attention_.forward()) return waiting;
  for (; read_ < readouts_.size(); ++read_) {
    ReadoutPass<T>& readout = readouts_[read_];
    if (std::exchange(readout_waits_, false)) {
      readout.finish();
      continue;
    }
    const std::size_t k = shape_.readouts[read_].layer;
    typename ReadoutPass<T>::Rows rows;
    rows.count = stack_.num_rows(k);
    rows.values = stack_.rows(k);
    if (has_attention()) rows.scores = attention_.rows(shape_.attention.layers.size() - 1);
    rows.segments = part_.segments[k];
    rows.first_graph = size_.first_graph;
    rows.num_graphs = size_.num_graphs;
    if (EndPass<T>* const waiting = readout.forward(rows)) {
      readout_waits_ = true;
      return waiting;
    }
  }
  outputs_ = readouts_[0].outputs();
  if (readouts_.size() == 1) return nullptr;
  const std::size_t count = size_.num_graphs * shape_.num_outputs;
  T* const sum = context_.arena->template take_zeros<T>(count);
  for (const ReadoutPass<T>& readout : readouts_)
    for (std::size_t i = 0; i < count; ++i) sum[i] += readout.outputs()[i];
  outputs_ = sum;
  return nullptr;
}

template <typename T>
EndPass<T>* PartPass<T>::backward(const T* doutputs, const PartGradient<T>& gradient) {
  // From the last readout to the first, as their normalizations come in reverse.
  for (; read_ > 0; --read_) {
    ReadoutPass<T>& readout = readouts_[read_ - 1];
    typename ReadoutPass<T>::Gradients to;
    to.rows = stack_.rows_gradient(shape_.readouts[read_ - 1].layer);
    if (has_attention()) to.scores = attention_.rows_gradient(shape_.attention.layers.size() - 1);
    to.parameters = gradient.stack.parameters;
    if (std::exchange(readout_waits_, false)) {
      readout.finish_backward(to);
      continue;
    }
    if (EndPass<T>* const waiting = readout.backward(doutputs, to)) {
      readout_waits_ = true;
      return waiting;
    }
  }
  if (has_attention())
    if (EndPass<T>* const waiting = attention_.backward(gradient.attention)) return waiting;
  return stack_.backward(gradient.stack);
}

template struct PartGradient<float>;
template struct PartGradient<double>;
template class FrontPass<float>;
template class FrontPass<double>;
template class PartPass<float>;
template class PartPass<double>;

}  // namespace twofold::compute
