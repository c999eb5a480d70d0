#include "twofold/wl/ladder.h"

#include <algorithm>
#include <chrono>

#include "twofold/base/error.h"

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
  for (const LadderFamily& family : families) {
    if (family.graphs.size() % 2 != 0)
      throw InputError(fmt::format("{}: needed an even number of graphs to pair them, found {}", family.name,
                                   family.graphs.size()));
    pairs_a_row += family.num_pairs();
  }
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
    return k >= 2;
  }
  if (weak.marks > strong.marks || weak.kind == Kind::kTuples) return false;
  if (is_vertex_like(weak)) return true;
  return strong.kind == Kind::kRows && is_within(weak.radius, strong.radius);
}

bool has_network(const WlTest& test) { return test.kind != Kind::kTuples && test.marks == 0; }

Ladder climb_ladder(Span<const LadderFamily> families, Span<const WlTest> tests,
                    const ClassifyOptions& options) {
  Ladder ladder;
  ladder.tests.assign(tests.begin(), tests.end());
  for (const LadderFamily& family : families) {
    ladder.families.push_back(family.name);
    ladder.num_pairs.push_back(family.num_pairs());
  }
  ladder.rows = climb(families, tests, distinguish_pairs, options);
  return ladder;
}

LadderRows climb_by_networks(Span<const LadderFamily> families, Span<const WlTest> tests,
                             const Separate& separate, const ClassifyOptions& options) {
  std::vector<WlTest> asked;
  for (const WlTest& test : tests)
    if (has_network(test)) asked.push_back(test);
  LadderRows found = climb(families, asked, separate, options);
  LadderRows rows;
  std::size_t next = 0;
  for (const WlTest& test : tests)
    rows.push_back(has_network(test) ? std::move(found[next++]) : std::vector<LadderCell>());
  return rows;
}

}  // namespace twofold::wl
