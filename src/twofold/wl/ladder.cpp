#include "twofold/wl/ladder.h"

#include <algorithm>
#include <chrono>

#include "twofold/base/error.h"
#include "twofold/wl/random_net.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

constexpr int kLargestRadius = 8;

WlTest rows_test(PowerRadius radius, int marks = 0) { return {Kind::kRows, 2, radius, marks}; }

bool is_within(PowerRadius a, PowerRadius b) { return b.is_all() || (!a.is_all() && a.steps() <= b.steps()); }

LadderCell fill_cell(const LadderFamily& family, const WlTest& test, const Separate& separate,
                     const ClassifyOptions& options) {
  using Clock = std::chrono::steady_clock;
  LadderCell cell;
  const auto start = Clock::now();
  try {
    cell.verdicts = separate(family.graphs, test, options);
  } catch (const UsageError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(family.name + ": " + error.what());
  } catch (const Error& error) {
    cell.failure = error.what();
  }
  cell.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return cell;
}

LadderRows climb(Span<const LadderFamily> families, Span<const WlTest> tests, const Separate& separate,
                 const ClassifyOptions& options) {
  LadderRows rows;
  std::size_t pairs_a_row = 0;
  for (const LadderFamily& family : families) pairs_a_row += family.num_pairs();
  std::size_t done = 0;
  for (const WlTest& test : tests) {
    rows.emplace_back();
    for (const LadderFamily& family : families) {
      ClassifyOptions of_cell = options;
      if (options.progress)
        of_cell.progress = [&](std::uint64_t pairs, std::uint64_t) {
          options.progress(done + pairs, pairs_a_row * tests.size());
        };
      rows.back().push_back(fill_cell(family, test, separate, of_cell));
      done += family.num_pairs();
    }
  }
  return rows;
}

void require_pairs(Span<const LadderFamily> families) {
  for (const LadderFamily& family : families)
    if (family.graphs.size() % 2 != 0)
      throw InputError(fmt::format("{}: needed an even number of graphs to pair them, found {}", family.name,
                                   family.graphs.size()));
}

std::vector<bool> first_of_classes(Span<const Graph> graphs, const WlTest& test,
                                   const ClassifyOptions& options) {
  const Classes classes = classify(graphs, test, options);
  std::vector<bool> is_first;
  std::uint32_t next = 0;
  for (const std::uint32_t number : classes.class_of) {
    is_first.push_back(number == next);
    next += number == next;
  }
  return is_first;
}

}  // namespace

std::size_t LadderCell::distinguished() const {
  return static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), true));
}

std::vector<WlTest> ladder_tests() {
  std::vector<WlTest> tests = {parse_test("1-wl"), parse_test("2-gnn")};
  for (int r = 1; r <= kLargestRadius; ++r) tests.push_back(rows_test(r));
  tests.push_back(rows_test(PowerRadius::all()));
  tests.push_back(parse_test("2-fwl"));
  tests.push_back(parse_test("3-fwl"));
  tests.push_back(rows_test(1, 1));
  tests.push_back(rows_test(2, 1));
  return tests;
}

bool is_at_most(const WlTest& weak, const WlTest& strong) {
  if (weak.edge_labels != strong.edge_labels) return false;
  const auto is_vertex_like = [](const WlTest& t) {
    return t.kind == Kind::kVertices || t.kind == Kind::kEdges;
  };
  if (strong.kind == Kind::kTuples) {
    // A mark is a place of the tuple that never changes.
    const int k = strong.k - std::max(0, weak.marks - strong.marks);
    if (weak.kind == Kind::kTuples) return weak.k <= k;
    // With one place left, the nodes in it see each other as 1-wl does.
    return k >= (is_vertex_like(weak) ? 1 : 2);
  }
  if (weak.marks > strong.marks || weak.kind == Kind::kTuples) return false;
  if (is_vertex_like(weak)) return true;
  return strong.kind == Kind::kRows && is_within(weak.radius, strong.radius);
}

Ladder climb_ladder(Span<const LadderFamily> families, Span<const WlTest> tests,
                    const ClassifyOptions& options) {
  require_pairs(families);
  Ladder ladder;
  ladder.tests.assign(tests.begin(), tests.end());
  for (const LadderFamily& family : families) {
    ladder.families.push_back(family.name);
    ladder.num_pairs.push_back(family.num_pairs());
  }
  ladder.rows = climb(families, tests, distinguish_pairs, options);
  return ladder;
}

Ladder climb_by_classes(Span<const LadderFamily> families, Span<const WlTest> tests,
                        const ClassifyOptions& options) {
  Ladder ladder;
  ladder.of_graphs = true;
  ladder.tests.assign(tests.begin(), tests.end());
  for (const LadderFamily& family : families) {
    ladder.families.push_back(family.name);
    ladder.num_pairs.push_back(family.graphs.size());
  }
  ladder.rows = climb(families, tests, first_of_classes, options);
  return ladder;
}

double seconds_of(const std::vector<LadderCell>& row) {
  double seconds = 0;
  for (const LadderCell& cell : row) seconds += cell.seconds;
  return seconds;
}

std::optional<std::size_t> cheapest_that_suffices(const Ladder& ladder) {
  std::optional<std::size_t> cheapest;
  for (std::size_t t = 0; t < ladder.rows.size(); ++t) {
    bool suffices = true;
    for (std::size_t f = 0; f < ladder.rows[t].size(); ++f)
      suffices = suffices && ladder.rows[t][f].failure.empty() &&
                 ladder.rows[t][f].distinguished() == ladder.num_pairs[f];
    if (suffices && (!cheapest || seconds_of(ladder.rows[t]) < seconds_of(ladder.rows[*cheapest])))
      cheapest = t;
  }
  return cheapest;
}

LadderRows climb_by_networks(Span<const LadderFamily> families, Span<const WlTest> tests,
                             const Separate& separate, const ClassifyOptions& options, bool with_marks) {
  require_pairs(families);
  const auto is_asked = [&](const WlTest& test) {
    return has_network(test) && (with_marks || test.marks == 0);
  };
  std::vector<WlTest> asked;
  for (const WlTest& test : tests)
    if (is_asked(test)) asked.push_back(test);
  LadderRows found = climb(families, asked, separate, options);
  LadderRows rows;
  std::size_t next = 0;
  for (const WlTest& test : tests)
    rows.push_back(is_asked(test) ? std::move(found[next++]) : std::vector<LadderCell>());
  return rows;
}

}  // namespace twofold::wl
