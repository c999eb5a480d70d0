#include "twofold/compute/pair_plan.h"

#include <algorithm>

namespace twofold::compute {
namespace {

// Triples an item: some 100 µs of work at 32 features, thousands of times what handing it out costs.
constexpr std::uint64_t kItemTriples = 16384;

// Where node i's share of the work ends, in triples; rows of node i are its loop and the {i,j}, j > i. Without
// stored triples the balls' sizes tell enough.
std::uint64_t work_of_node(const pairs::PairSet& set, Node i) {
  const std::uint64_t own = set.balls.size(i);
  if (set.has_stored_triples())
    return own + set.triple_offsets[set.upper_rows[i + 1]] - set.triple_offsets[set.upper_rows[i]];
  return own + std::uint64_t{set.upper_rows[i + 1] - set.upper_rows[i]} * own;
}

class Cutter {
 public:
  explicit Cutter(PairPlan& plan) : plan_(plan) {}

  void whole(std::uint32_t block, std::uint64_t triples) {
    if (open_ && open_triples_ + triples > kItemTriples) open_ = false;
    if (!open_) {
      plan_.items.push_back({block, block, 0, 0});
      open_ = true;
      open_triples_ = 0;
    }
    plan_.items.back().block_end = block + 1;
    open_triples_ += triples;
  }

  void begin_parts(std::uint32_t block) {
    open_ = false;
    plan_.cut_blocks.push_back(block);
  }

  void part(const PairItem& item) { plan_.items.push_back(item); }

 private:
  PairPlan& plan_;
  bool open_ = false;
  std::uint64_t open_triples_ = 0;
};

void cut_set(const pairs::PairSet& set, std::uint32_t block, Cutter& cutter) {
  if (set.num_triples <= 2 * kItemTriples) {
    cutter.whole(block, set.num_triples);
    return;
  }
  cutter.begin_parts(block);
  const auto n = static_cast<Node>(set.num_nodes());
  Node begin = 0;
  std::uint64_t work = 0;
  for (Node i = 0; i < n; ++i) {
    work += work_of_node(set, i);
    if (work < kItemTriples && i + 1 < n) continue;
    cutter.part({block, block + 1, begin, i + 1});
    begin = i + 1;
    work = 0;
  }
}

void cut_level(const pairs::Level& level, std::uint32_t block, Cutter& cutter) {
  if (level.items.size() <= 2 * kItemTriples) {
    cutter.whole(block, level.items.size());
    return;
  }
  // Parts of about equal numbers of triples; a row with many may be all of one, and leave none to the next.
  cutter.begin_parts(block);
  const std::uint64_t parts = level.items.size() / kItemTriples;
  const auto border = [&](const std::vector<std::uint64_t>& offsets, std::uint64_t part) {
    const std::uint64_t position = offsets.back() / parts * part;
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), position);
    return static_cast<std::uint32_t>(part == parts ? offsets.size() - 1
                                                    : static_cast<std::size_t>(at - offsets.begin()));
  };
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint32_t begin = border(level.offsets, part), end = border(level.offsets, part + 1);
    if (begin != end) cutter.part({block, block + 1, begin, end});
  }
}

}  // namespace

PairForm choose_form(const pairs::PairSet& set) {
  // As fast as stored lists where they are stored, give or take what the machine does (docs/measurements.md),
  // but it reads none: 8 bytes per triple less. The loop copies each row twice into a square, n^2 rows of one
  // vector, which pays from a few nodes on and until the square outgrows the second-level cache by far.
  constexpr std::size_t kFewest = 6;
  constexpr std::size_t kMost = 512;
  if (set.is_complete() && set.num_nodes() >= kFewest && set.num_nodes() <= kMost) return PairForm::kComplete;
  return PairForm::kLists;
}

bool gradients_by_triangles(const PairBlock& block) {
  // Half the slopes and half the loads of gathering, but only as many threads as a row has cache lines, and a
  // copy of all rows each. A graph that takes tens of milliseconds is better cut among all threads.
  constexpr std::uint64_t kMostTriples = std::uint64_t{4} << 20;
  constexpr std::uint64_t kMostRows = std::uint64_t{1} << 16;  // 12 MiB of copies
  // Copying costs as much as some triples of every row.
  constexpr std::uint64_t kFewestTriplesARow = 12;
  return block.set != nullptr && block.set->num_triples <= kMostTriples && block.num_rows() <= kMostRows &&
         block.set->num_triples >= kFewestTriplesARow * block.num_rows();
}

bool sums_by_features(const PairBlock& block) {
  // Lists are read once per pass; putting them together again each time would cost more than it brings.
  return block.form == PairForm::kLists && gradients_by_triangles(block) && block.set->has_stored_triples();
}

PairPlan make_plan(const pairs::PairBatch& batch) {
  PairPlan plan;
  plan.blocks.reserve(batch.num_graphs());
  Cutter cutter(plan);
  for (std::size_t g = 0; g < batch.num_graphs(); ++g) {
    const pairs::PairSet& set = *batch.sets[g];
    plan.blocks.push_back({choose_form(set), &set, nullptr, batch.row_offsets[g], batch.row_offsets[g]});
    cut_set(set, static_cast<std::uint32_t>(g), cutter);
  }
  plan.num_rows = plan.num_sources = batch.num_rows();
  plan.num_triples = batch.num_triples;
  return plan;
}

PairPlan make_plan(const std::vector<const pairs::Level*>& levels) {
  PairPlan plan;
  Cutter cutter(plan);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    plan.blocks.push_back({PairForm::kWeighted, nullptr, levels[k], plan.num_rows, plan.num_sources});
    cut_level(*levels[k], static_cast<std::uint32_t>(k), cutter);
    plan.num_rows += levels[k]->num_rows();
    plan.num_sources += levels[k]->num_sources;
    plan.num_triples += levels[k]->items.size();
  }
  return plan;
}

}  // namespace twofold::compute
