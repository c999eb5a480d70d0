// The kernels on pairs of vertices (2-lwl, 2-gwl, 2-wl), round by round over all graphs.
//
// Each graph first groups its own pairs exactly, in parallel. A hash of each group then shows in a filter
// whether another graph may have the color too. It errs on one side only: equal colors have equal hashes, so
// what the filter calls private is, and such a color (and all that it is refined into) counts on the diagonal
// alone and needs no name that other graphs understand. The rest is named by an exact table.
#include <algorithm>
#include <atomic>
#include <memory>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/gram/gram_parts.h"
#include "twofold/gram/pair_colors.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {
namespace {

// For a slot a hash: no graph, one, or several had a hash that falls there. The order of calls does not matter.
class SharingFilter {
 public:
  SharingFilter(std::uint64_t slots, std::uint64_t salt)
      : mask_(slots - 1), salt_(salt), owners_(new std::atomic<std::uint32_t>[slots]()) {}

  void mark(std::uint64_t hash, std::size_t graph) {
    std::atomic<std::uint32_t>& owner = owners_[wl::mix(hash, salt_) & mask_];
    const auto self = static_cast<std::uint32_t>(graph) + 1;
    std::uint32_t seen = owner.load(std::memory_order_relaxed);
    while (seen != self && seen != kSeveral) {
      const std::uint32_t wanted = seen == 0 ? self : kSeveral;
      if (owner.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) return;
    }
  }
  bool is_shared(std::uint64_t hash) const {
    return owners_[wl::mix(hash, salt_) & mask_].load(std::memory_order_relaxed) == kSeveral;
  }

 private:
  static constexpr std::uint32_t kSeveral = 0xffffffffu;
  std::uint64_t mask_;
  std::uint64_t salt_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> owners_;
};

struct GraphState {
  std::unique_ptr<PairColors> pairs;
  std::vector<std::uint32_t> colors;  // a place: its color in the round before
  PairColors::Groups groups;          // of this round
  std::vector<bool> may_be_shared;    // a group: whether another graph may have its color
};

// The groups of a graph that other graphs may have too, and what makes their colors.
struct SharedGroups {
  std::vector<std::uint32_t> groups;
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> words;
};

// Leaves `may_be_shared` to groups whose hash another graph has too, but for a few false alarms: filters that
// are filled anew with what is left, by other bits of the hash, until they find nothing more.
void find_shared(std::vector<GraphState>& states, std::uint64_t slots, int threads) {
  std::uint64_t before = 0;
  for (GraphState& state : states) {
    before += state.groups.places.size();
    state.may_be_shared.assign(state.groups.places.size(), true);
  }
  for (std::uint64_t round = 0;; ++round) {
    SharingFilter filter(slots, round);
    parallel_for(states.size(), threads, [&](std::size_t g) {
      for (std::size_t id = 0; id < states[g].may_be_shared.size(); ++id)
        if (states[g].may_be_shared[id]) filter.mark(states[g].groups.hashes[id], g);
    });
    std::atomic<std::uint64_t> left{0};
    parallel_for(states.size(), threads, [&](std::size_t g) {
      std::uint64_t count = 0;
      for (std::size_t id = 0; id < states[g].may_be_shared.size(); ++id) {
        if (!states[g].may_be_shared[id]) continue;
        if (filter.is_shared(states[g].groups.hashes[id]))
          ++count;
        else
          states[g].may_be_shared[id] = false;
      }
      left += count;
    });
    if (left + before / 64 >= before) return;
    before = left;
  }
}

SharedGroups shared_groups(const GraphState& state, bool is_start) {
  SharedGroups shared;
  std::vector<std::uint32_t> words;
  for (std::uint32_t id = 0; id < state.groups.places.size(); ++id) {
    if (!state.may_be_shared[id]) continue;
    if (is_start) {
      state.pairs->start_words(state.groups.places[id], words);
    } else {
      state.pairs->words(state.colors, state.groups.places[id], words);
      // Private colors are names of one graph only, so the words are too.
      if (state.pairs->names_private(words)) continue;
    }
    shared.groups.push_back(id);
    shared.words.insert(shared.words.end(), words.begin(), words.end());
    shared.ends.push_back(shared.words.size());
  }
  return shared;
}

// Gives the groups of one graph their colors, adds their counts, and leaves the colors in state.colors.
void name_groups(GraphState& state, std::size_t g, const SharedGroups& shared, WordTable& table,
                 FeatureCounts& part, GramSum& sum) {
  PairColors::Groups& groups = state.groups;
  std::vector<std::uint32_t> name(groups.places.size(), kNoColor);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < shared.groups.size(); ++i) {
    const std::uint32_t id = shared.groups[i];
    name[id] = table.find_or_add({shared.words.data() + begin, shared.ends[i] - begin});
    begin = shared.ends[i];
    part.features.push_back(name[id]);
    part.counts.push_back(groups.counts[id]);
  }
  part.offsets.push_back(part.features.size());
  for (std::uint32_t id = 0; id < name.size(); ++id) {
    if (name[id] != kNoColor) continue;
    name[id] = kPrivate | id;
    sum.add_private(g, groups.counts[id]);
  }
  state.colors.swap(groups.group_of);
  for (std::uint32_t& color : state.colors) color = color == kNoColor ? 0 : name[color];
  groups = {};
  state.may_be_shared = {};
}

struct Sizes {
  std::uint64_t held = 0;    // what stays in memory throughout, the filter excepted
  std::uint64_t places = 0;  // of all graphs
};
constexpr std::uint64_t kLeastFilter = 1u << 20;

// Every place may be a group of its own; a worker needs the hashes, an index of them and the groups being made.
Sizes sizes_of(Span<const Graph> graphs, const Kernel& kernel, int threads) {
  std::vector<PairSizes> of_graph(graphs.size());
  parallel_for(graphs.size(), threads, [&](std::size_t g) { of_graph[g] = count_pairs(graphs[g], kernel); });
  Sizes sizes;
  std::uint64_t largest = 0, objects = 0;
  for (const PairSizes& one : of_graph) {
    sizes.places += one.places;
    objects += one.bytes;
    largest = std::max(largest, one.places);
  }
  const auto workers = static_cast<std::uint64_t>(resolve_threads(threads));
  sizes.held = objects + sizes.places * 28 + workers * largest * 44;
  return sizes;
}

// A slot for every group twice over where there is room; fewer make more false alarms, which cost table space.
std::uint64_t filter_slots(std::uint64_t places, std::uint64_t room) {
  std::uint64_t slots = 1u << 10;
  while (slots < 2 * places && 8 * slots <= room / 2) slots *= 2;
  return slots;
}

}  // namespace

std::uint64_t pair_bytes(Span<const Graph> graphs, const Kernel& kernel, int threads) {
  return sizes_of(graphs, kernel, threads).held + kLeastFilter;
}

void add_pairs(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options, GramSum& sum) {
  const Sizes sizes = sizes_of(graphs, kernel, options.threads);
  const std::uint64_t held = sizes.held + sum.bytes();
  require_memory(describe(kernel), held + kLeastFilter, options.max_memory);
  const std::uint64_t slots = filter_slots(sizes.places, options.max_memory - held);
  std::vector<GraphState> states(graphs.size());
  parallel_for(graphs.size(), options.threads,
               [&](std::size_t g) { states[g].pairs = make_pair_colors(graphs[g], kernel); });
  const std::uint64_t limit = options.max_memory;
  const auto rounds = static_cast<std::uint64_t>(kernel.iterations) + 1;
  ProgressCount progress(options.progress, rounds * graphs.size());

  for (int t = 0; t <= kernel.iterations; ++t) {
    parallel_for(graphs.size(), options.threads, [&](std::size_t g) {
      GraphState& state = states[g];
      state.groups = t == 0 ? state.pairs->start() : state.pairs->refine(state.colors, wl::mix(g));
      progress.step();
    });

    find_shared(states, slots, options.threads);
    WordTable table;
    FeatureCounts part;
    constexpr std::size_t kGroupsAtOnce = 1u << 20;
    for (std::size_t begin = 0, end = 0; begin < graphs.size(); begin = end) {
      for (std::size_t groups = 0; end < graphs.size() && (end == begin || groups < kGroupsAtOnce); ++end)
        groups += states[end].groups.places.size();
      std::vector<SharedGroups> shared(end - begin);
      parallel_for(end - begin, options.threads,
                   [&](std::size_t i) { shared[i] = shared_groups(states[begin + i], t == 0); });
      for (std::size_t g = begin; g < end; ++g) name_groups(states[g], g, shared[g - begin], table, part, sum);
      require_memory(fmt::format("{}: the colors of round {}", kernel_name(kernel.kind), t),
                     held + 4 * slots + table.bytes(), limit);
    }
    part.num_features = table.size();
    sum.add(part);
  }
}

}  // namespace twofold::gram
