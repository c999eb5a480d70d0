#pragma once

#include <cstddef>
#include <cstdint>

namespace twofold::compute {

/// What training makes small, per graph.
enum class Loss : std::uint8_t {
  kCrossEntropy,  // -log of the chance of the right class; one output is the logit of class 1, several one per
                  // class
  kSquared,       // (output - target)^2, the mean over outputs whose target is known
  kAbsolute,      // |output - target|, the same
  kLogistic,  // -log of the chance of the right answer, each output the logit of target 1 against 0, the same
};

/// The targets of some graphs. Nothing is owned.
template <typename T>
struct Targets {
  // For kCrossEntropy: the class of each graph.
  const std::uint32_t* classes = nullptr;
  // For the others: a row of as many values as there are outputs, NaN where one is not known.
  const T* values = nullptr;
  // What each graph's loss counts; the loss of a batch is the sum of weight times loss.
  const T* weights = nullptr;
};

/// The weighted sum over `count` graphs, and in `doutputs` (unless null) its gradient. Large logits neither
/// overflow nor lose the small probabilities.
template <typename T>
double graph_loss(Loss loss, std::size_t count, std::size_t num_outputs, const T* outputs,
                  const Targets<T>& targets, T* doutputs);

}  // namespace twofold::compute
