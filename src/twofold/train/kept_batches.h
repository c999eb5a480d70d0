#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "twofold/train/batch_hash.h"

namespace twofold::train {

/// Batches cut out of a dataset's levels: those that come again, as those of validation and full ones do, are
/// kept. `Cut` has a member `graphs`, a vector of the batch's graphs in their order. One thread.
template <typename Cut>
class KeptBatches {
 public:
  /// At most so many are kept.
  explicit KeptBatches(std::size_t most = 256) : most_(most) {}

  /// The batch of these graphs, from fill(graphs, Cut&) unless it is kept; valid until the next call with this
  /// slot.
  template <typename Fill>
  Cut& get(const std::vector<std::uint32_t>& graphs, const Fill& fill, std::size_t slot = 0) {
    const std::uint64_t hash = hash_of(graphs);
    const auto found = kept_.find(hash);
    if (found != kept_.end() && found->second->graphs == graphs) return *found->second;
    // The first time a batch is only noted: shuffled ones never come again.
    const bool comes_again = !seen_.insert(hash).second;
    if (seen_.size() > 1 << 16) seen_.clear();
    if (!comes_again || found != kept_.end() || kept_.size() >= most_) {
      while (passing_.size() <= slot) passing_.push_back(std::make_unique<Cut>());
      fill(graphs, *passing_[slot]);
      return *passing_[slot];
    }
    auto made = std::make_unique<Cut>();
    fill(graphs, *made);
    return *kept_.emplace(hash, std::move(made)).first->second;
  }

 private:
  std::size_t most_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Cut>> kept_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::unique_ptr<Cut>> passing_;
};

}  // namespace twofold::train
