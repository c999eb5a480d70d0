#include "twofold/wl/pair_comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "twofold/wl/coloring.h"
#include "twofold/wl/marked_copies.h"
#include "twofold/wl/symmetry.h"
#include "twofold/wl/weaker_tests.h"

namespace twofold::wl {
namespace {

enum class Outcome { kDifferent, kEqual, kNotSeen };

bool differ_together(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options) {
  RefineOptions refine_options;
  refine_options.threads = options.threads;
  refine_options.max_memory = options.max_memory;
  refine_options.hash_mask = options.hash_mask;
  const Coloring coloring = refine(two, test, refine_options);
  return coloring.histogram(0) != coloring.histogram(1);
}

struct TwoObjects {
  std::unique_ptr<Objects> first;
  std::unique_ptr<Objects> second;
};

// Long tuples of symmetric graphs are listed by orbits.
TwoObjects make_both(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options) {
  if (options.shortcuts && test.kind == Kind::kTuples && test.k > 2) {
    const Symmetry first = find_symmetry(two[0], test.edge_labels);
    const Symmetry second = find_symmetry(two[1], test.edge_labels);
    // Certificates of plain tuples use that places can be permuted, which saves more than some symmetry does.
    const std::size_t n = two[0].num_nodes();
    if (3 * std::max(first.num_orbits(), second.num_orbits()) <= 2 * n)
      return {make_orbit_tuples(two[0], test, first), make_orbit_tuples(two[1], test, second)};
  }
  return {make_objects(two[0], test), make_objects(two[1], test)};
}

// Without marks: both graphs round by round until they differ or are stable. `exactly`: never kNotSeen.
Outcome compare_rounds(Span<const Graph> two, const WlTest& test, bool exactly,
                       const ClassifyOptions& options) {
  const TwoObjects both = make_both(two, test, options);
  HashedRun run_a(options.hash_mask, options.threads);
  HashedRun run_b(options.hash_mask, options.threads);
  run_a.start(*both.first);
  run_b.start(*both.second);
  while (run_a.picture() == run_b.picture()) {
    if (run_a.is_stable()) {
      if (!exactly) return Outcome::kNotSeen;
      if (certify_equal(run_a, run_b, false, options.threads)) return Outcome::kEqual;
      return differ_together(two, test, options) ? Outcome::kDifferent : Outcome::kEqual;
    }
    run_a.step();
    run_b.step();
  }
  return Outcome::kDifferent;
}

// The copies of both graphs that show one picture.
struct CopyGroup {
  CopyPicture picture;
  std::vector<MarkedCopy> copies;
};

// How often each class comes in the first graph and in the second.
template <typename Key>
using Tally = std::map<Key, std::array<std::uint64_t, 2>>;

template <typename Key>
bool is_even(const Tally<Key>& tally) {
  return std::all_of(tally.begin(), tally.end(),
                     [](const auto& entry) { return entry.second[0] == entry.second[1]; });
}

// All copies of a group with one mark more, by what they show. Nothing if the two graphs show something else.
std::vector<CopyGroup> extend(Span<const Graph> two, const CopyGroup& group, const WlTest& test,
                              const ClassifyOptions& options) {
  std::vector<MarkedCopy> longer;
  for (const MarkedCopy& copy : group.copies)
    for (MarkOrbit& orbit : extend_marks(two[copy.graph], test.edge_labels, copy.marks, options.shortcuts))
      longer.push_back({copy.graph, std::move(orbit)});
  const std::vector<CopyPicture> pictures = take_pictures(two, longer, test, options);
  Tally<CopyPicture> tally;
  std::map<CopyPicture, std::vector<MarkedCopy>> by_picture;
  for (std::size_t i = 0; i < longer.size(); ++i) {
    tally[pictures[i]][longer[i].graph] += longer[i].marks.size;
    by_picture[pictures[i]].push_back(std::move(longer[i]));
  }
  std::vector<CopyGroup> groups;
  if (!is_even(tally)) return groups;
  for (auto& [picture, copies] : by_picture) groups.push_back({picture, std::move(copies)});
  return groups;
}

// With marks: one mark after the other. The class of a copy determines the class of the copy without its last
// mark, so that copies need be compared only within one class of these, and few copies may show a difference.
Outcome compare_marks(Span<const Graph> two, const WlTest& test, bool exactly, const ClassifyOptions& options) {
  std::vector<CopyGroup> groups = {{CopyPicture{}, {{0, MarkOrbit{}}, {1, MarkOrbit{}}}}};
  ClassifyOptions quietly = options;
  quietly.progress = nullptr;
  WlTest some_marks = test;
  for (some_marks.marks = 1; some_marks.marks <= test.marks; ++some_marks.marks) {
    std::stable_sort(groups.begin(), groups.end(),
                     [](const CopyGroup& a, const CopyGroup& b) { return a.copies.size() < b.copies.size(); });
    std::vector<CopyGroup> longer;
    for (CopyGroup& group : groups) {
      std::vector<CopyGroup> next = extend(two, group, some_marks, quietly);
      if (next.empty()) return Outcome::kDifferent;
      for (CopyGroup& one : next) longer.push_back(std::move(one));
      group.copies.clear();
    }
    groups = std::move(longer);
  }
  if (!exactly) return Outcome::kNotSeen;
  std::vector<MarkedCopy> copies;
  std::vector<CopyPicture> pictures;
  for (CopyGroup& group : groups)
    for (MarkedCopy& copy : group.copies) {
      copies.push_back(std::move(copy));
      pictures.push_back(group.picture);
    }
  const Classes classes = classify_copies(two, copies, pictures, test, quietly);
  Tally<std::uint32_t> tally;
  for (std::size_t i = 0; i < copies.size(); ++i)
    tally[classes.class_of[i]][copies[i].graph] += copies[i].marks.size;
  return is_even(tally) ? Outcome::kEqual : Outcome::kDifferent;
}

Outcome compare(Span<const Graph> two, const WlTest& test, bool exactly, const ClassifyOptions& options) {
  return test.marks > 0 ? compare_marks(two, test, exactly, options)
                        : compare_rounds(two, test, exactly, options);
}

// A search for automorphisms is cheap beside these.
bool is_expensive(const WlTest& test) { return test.marks > 0 || (test.kind == Kind::kTuples && test.k > 2); }

}  // namespace

bool distinguishes_two(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options,
                       bool ask_weaker) {
  const std::size_t n = two[0].num_nodes();
  if (two[1].num_nodes() != n || two[1].num_edges() != two[0].num_edges()) return true;
  if (options.shortcuts) {
    const bool may_be_isomorphic = is_expensive(test);
    bool is_asked = false;
    for (const WlTest& weaker : ask_weaker ? weaker_tests(test) : std::vector<WlTest>()) {
      if (static_cast<std::size_t>(weaker.marks) > n) continue;
      // Before the first test that is itself expensive.
      if (may_be_isomorphic && is_expensive(weaker) && !std::exchange(is_asked, true) &&
          find_isomorphism(two[0], two[1], test.edge_labels))
        return false;
      if (compare(two, weaker, false, options) == Outcome::kDifferent) return true;
    }
    if (may_be_isomorphic && !is_asked && find_isomorphism(two[0], two[1], test.edge_labels)) return false;
  }
  return compare(two, test, true, options) == Outcome::kDifferent;
}

}  // namespace twofold::wl
