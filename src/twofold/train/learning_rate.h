#pragma once

#include <cstddef>

#include "twofold/model/train_options.h"

namespace twofold::train {

/// The learning rate of every step: warm-up, schedule and halving. It follows from the options and what was
/// noted of the epochs before, so a training that goes on later tells its history again and has the same rates.
class LearningRate {
 public:
  /// Keeps a copy. Needs options that check_options accepts.
  explicit LearningRate(const model::TrainOptions& options) : options_(options) {}

  /// Of a step, counted from 0, of an epoch, counted from 1, that has `num_steps` of them.
  ///
  /// A warm-up of K steps has the shares 1/K, 2/K, …, 1. A cosine has the whole rate at the first step after
  /// the warm-up and comes to its end when the last epoch has ended: a step at the end itself, with a rate of
  /// 0, would be none.
  double at(int epoch, std::size_t step, std::size_t num_steps) const;

  /// What was watched after an epoch; more is better. Epochs are noted in order, each once. Only a plateau
  /// minds.
  void note(int epoch, double value);

 private:
  double schedule_share(double epochs_done) const;

  model::TrainOptions options_;
  // Of the plateau: the share so far; the best value, and epochs since it or since the rate fell.
  double share_ = 1;
  bool has_best_ = false;
  double best_ = 0;
  int waited_ = 0;
};

}  // namespace twofold::train
