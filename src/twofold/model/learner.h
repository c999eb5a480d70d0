#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twofold/base/clock.h"
#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/config.h"
#include "twofold/model/targets.h"
#include "twofold/model/twins.h"
#include "twofold/record/blob_cache.h"

namespace twofold::model {

/// What a learner may look at for as long as it lives: the graphs, and what kind of target they have; no
/// target.
struct LearnerInput {
  /// Must outlive the learner.
  Span<const Graph> graphs;
  Task task;
  /// What targets are about if not the graphs (Targets::items). Must outlive the learner.
  Span<const Item> items = {};

  /// What changes only speed and memory.
  int threads = 1;
  std::uint64_t max_memory = 0;
  /// Shares what is costly to prepare between processes (blob_cache.h). May be null, must outlive the learner.
  record::BlobCache* cache = nullptr;
};

/// Learnt from training graphs; says what it thinks of any graph of the dataset.
class Fitted {
 public:
  virtual ~Fitted() = default;
  virtual Predictions predict(Span<const std::uint32_t> graphs) = 0;
};

/// A training curve: a value per epoch in each column. Empty for learners without epochs.
struct History {
  struct Column {
    std::string name;  // train_loss, validation_loss, validation, …
    std::vector<double> values;
  };
  std::vector<Column> columns;
};

struct FitOptions {
  /// Everything random follows from it.
  std::uint64_t seed = 1;
  /// Stop after so many epochs, where there are any, whatever the configuration says; learning rates still go
  /// by all of its epochs. 0: no earlier.
  int max_epochs = 0;
  /// Told of epochs done, of how many at most. May be empty.
  Progress progress;
};

struct FitResult {
  std::unique_ptr<Fitted> fitted;
  History history;
  /// Further facts for the record, such as {"epochs": 120, "best_epoch": 80}. Must follow from the inputs
  /// alone: no times, no hosts. An object, empty if there are none.
  Config notes = Config::object();
};

/// Seconds that a fit takes, and the scores of its training and validation graphs after it.
struct FitCost {
  /// What later fits find done: encodings, colors, Gram matrices. About 0 where they were there.
  double prepare = 0;
  /// Of each fit, besides its epochs.
  double once = 0;
  double epoch = 0;
  /// At most; 0 for a learner without.
  int epochs = 0;

  /// One fit for so many epochs.
  double seconds(int epochs_done) const { return once + epochs_done * epoch; }
};

/// A way to learn from graphs: made once for a dataset, then fitted with many configurations on many parts of
/// it.
///
/// Whatever depends on the graphs alone (encodings, Gram matrices) is computed when first needed and kept;
/// nothing is computed twice. One object belongs to one thread. fit() gives the same result for the same
/// arguments, whatever was fitted before and on however many threads.
class Learner {
 public:
  virtual ~Learner() = default;

  /// `validation` is for stopping early and for nothing else; scores are computed by the caller from
  /// Fitted::predict. A configuration that cannot be learnt (too little memory, …) is an Error.
  virtual FitResult fit(const Config& config, const LabeledGraphs& train, const LabeledGraphs& validation,
                        const FitOptions& options) = 0;

  /// Throws UsageError or InputError for a configuration that these graphs cannot be learnt with, as far as
  /// that is cheap to tell.
  virtual void check(const Config& /*config*/) {}

  /// What a fit with the configuration costs here and now, measured on these graphs by one epoch and its
  /// scores, or, for a learner without epochs, by a whole fit. Throws Error where memory does not suffice.
  virtual FitCost measure(const Config& config, const LabeledGraphs& train, const LabeledGraphs& validation,
                          Clock clock);

  /// Whether the seed makes no difference: then one run is as good as several.
  virtual bool is_deterministic() const { return false; }

  /// Which graphs get equal predictions from this learner with any configuration of `grid`, however it was
  /// fitted, because it sees the same in them: a class per graph (twins.h has what networks need).
  virtual TwinClasses twins(const std::vector<Config>& grid) = 0;
};

/// Name and version, as {"libsvm", "325"}.
using Libraries = std::vector<std::pair<std::string, std::string>>;

/// One word of --model and how to make its learner. Making is cheap: work starts with fit().
struct LearnerFactory {
  std::string model;
  std::function<std::unique_ptr<Learner>(const LearnerInput& input)> make;
  // Those whose numbers go into what it learns.
  Libraries libraries = {};
};

}  // namespace twofold::model
