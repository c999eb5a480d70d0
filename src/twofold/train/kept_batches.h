#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "twofold/train/batch_hash.h"

namespace twofold::train {

/// Enough for every batch of NCI1 or IMDB-BINARY; of large graphs cutting again is a small part of an epoch.
inline constexpr std::uint64_t kMostKeptBytes = std::uint64_t{256} << 20;

/// Batches cut out of a dataset's levels: those that come again, as those of validation and full ones do, are
/// kept. `Cut` has a member `graphs`, a vector of the batch's graphs in their order. One thread.
template <typename Cut>
class KeptBatches {
 public:
  /// At most so many are kept, and as many as take so many bytes.
  KeptBatches(std::size_t most, std::uint64_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  /// The batch of these graphs, from fill(graphs, Cut&), which tells about how many bytes it takes, unless it
  /// is kept; valid until the next call with this slot.
  template <typename Fill>
  Cut& get(const std::vector<std::uint32_t>& graphs, const Fill& fill, std::size_t slot = 0) {
    const std::uint64_t hash = hash_of(graphs);
    const auto found = kept_.find(hash);
    if (found != kept_.end() && found->second->graphs == graphs) return *found->second;
    // The first time a batch is only noted, with what it took: shuffled ones never come again.
    const auto seen = seen_.find(hash);
    if (seen != seen_.end() && found == kept_.end() && kept_.size() < most_ &&
        seen->second <= most_bytes_ - bytes_) {
      auto made = std::make_unique<Cut>();
      bytes_ += seen->second;
      fill(graphs, *made);
      return *kept_.emplace(hash, std::move(made)).first->second;
    }
    while (passing_.size() <= slot) passing_.push_back(std::make_unique<Cut>());
    if (seen_.size() > 1 << 16) seen_.clear();
    seen_[hash] = fill(graphs, *passing_[slot]);
    return *passing_[slot];
  }

 private:
  std::size_t most_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;  // of those that are kept
  std::unordered_map<std::uint64_t, std::unique_ptr<Cut>> kept_;
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;
  std::vector<std::unique_ptr<Cut>> passing_;
};

}  // namespace twofold::train
