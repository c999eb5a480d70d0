#include "twofold/report/ladder_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "twofold/wl/random_net.h"

namespace twofold::report {
namespace {

using wl::Ladder;
using wl::LadderCell;
using wl::LadderRows;

struct Agreement {
  std::size_t asked = 0;
  std::size_t told_apart = 0;  // by the exact test, where the other was asked
  std::size_t missed = 0;
  std::size_t beyond = 0;  // told apart by the network alone: never
};

Agreement compare(const Ladder& ladder, const LadderRows& networks) {
  Agreement result;
  for (std::size_t t = 0; t < networks.size(); ++t)
    for (std::size_t f = 0; f < networks[t].size(); ++f) {
      const std::vector<bool>& exact = ladder.rows[t][f].verdicts;
      const std::vector<bool>& found = networks[t][f].verdicts;
      for (std::size_t p = 0; p < std::min(exact.size(), found.size()); ++p) {
        ++result.asked;
        result.told_apart += exact[p];
        result.missed += exact[p] && !found[p];
        result.beyond += !exact[p] && found[p];
      }
    }
  return result;
}

std::string sentence(const char* who, const Agreement& seen) {
  std::string text = fmt::format("{} reach the exact verdict in {} of {} cases", who,
                                 seen.asked - seen.missed - seen.beyond, seen.asked);
  if (seen.missed > 0)
    text += fmt::format(" (they miss {} of {} that the tests tell apart)", seen.missed, seen.told_apart);
  if (seen.beyond > 0) text += fmt::format(" and claim {} that the tests do not", seen.beyond);
  return text + ".";
}

std::size_t total(const std::vector<LadderCell>& row) {
  return std::accumulate(row.begin(), row.end(), std::size_t{0},
                         [](std::size_t sum, const LadderCell& cell) { return sum + cell.distinguished(); });
}

std::vector<Column> family_columns(const Ladder& ladder, bool is_seconds) {
  std::vector<Column> columns = {text_column("test", is_seconds ? "seconds" : "test")};
  for (std::size_t f = 0; f < ladder.families.size(); ++f) {
    const std::string& name = ladder.families[f];
    columns.push_back(number_column(fmt::format("{}_{}", f + 1, name), name, is_seconds ? -3 : 0));
  }
  return columns;
}

// The numbers of one kind of row; `exact` is shown below a number that is another.
void add_rows(const Ladder& ladder, const LadderRows& rows, bool is_seconds, const LadderRows* exact,
              Table& table) {
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].empty()) continue;
    std::string name = wl::describe(ladder.tests[t]);
    if (exact != nullptr) {
      const std::string radius = wl::radius_name(ladder.tests[t]);
      name = wl::net_name(ladder.tests[t]) + (radius.empty() ? "" : ", radius " + radius) +
             (ladder.tests[t].marks > 0 ? ", 1 mark" : "");
    }
    std::vector<Cell> cells = {text_cell(std::move(name))};
    for (std::size_t f = 0; f < rows[t].size(); ++f) {
      const LadderCell& cell = rows[t][f];
      if (!cell.failure.empty()) {
        cells.push_back(mark_cell("OOM"));
        continue;
      }
      const auto count = static_cast<double>(cell.distinguished());
      cells.push_back(number_cell(is_seconds ? cell.seconds : count));
      if (exact != nullptr && !is_seconds && cell.verdicts != (*exact)[t][f].verdicts)
        cells.back() = cells.back().with_note(fmt::format("exact: {}", (*exact)[t][f].distinguished()));
    }
    table.add_row(std::move(cells));
  }
}

Table table_of(const Ladder& ladder, const std::string& name, bool is_seconds) {
  Table table(name, family_columns(ladder, is_seconds));
  if (!is_seconds) {
    std::vector<Cell> pairs = {text_cell(ladder.of_graphs ? "graphs in all" : "pairs in all")};
    for (const std::size_t count : ladder.num_pairs) pairs.push_back(number_cell(static_cast<double>(count)));
    table.add_row(std::move(pairs));
  }
  const bool has_networks = !ladder.networks.empty() || !ladder.trained.empty();
  if (has_networks) table.start_group("exact tests");
  add_rows(ladder, ladder.rows, is_seconds, nullptr, table);
  if (!ladder.networks.empty()) {
    table.start_group("networks with random weights");
    add_rows(ladder, ladder.networks, is_seconds, &ladder.rows, table);
  }
  if (!ladder.trained.empty()) {
    table.start_group("networks trained on each pair");
    add_rows(ladder, ladder.trained, is_seconds, &ladder.rows, table);
  }
  return table;
}

bool is_plain_rows(const wl::WlTest& test) { return test.kind == wl::Kind::kRows && test.marks == 0; }

Plot radius_plot(const Ladder& ladder) {
  Plot plot;
  plot.name = "radius";
  plot.x.label = "radius";
  plot.y.label = "pairs told apart by 2-wl, %";
  plot.y.min = 0;
  plot.y.max = 100;
  for (const wl::WlTest& test : ladder.tests)
    if (is_plain_rows(test)) plot.x.categories.push_back(wl::radius_name(test));
  for (std::size_t f = 0; f < ladder.families.size(); ++f) {
    Series series;
    series.name = ladder.families[f];
    series.style = Series::Style::kLinesPoints;
    for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
      if (!is_plain_rows(ladder.tests[t]) || !ladder.rows[t][f].failure.empty() || ladder.num_pairs[f] == 0)
        continue;
      series.x.push_back(static_cast<double>(series.x.size()));
      series.y.push_back(100 * static_cast<double>(ladder.rows[t][f].distinguished()) /
                         static_cast<double>(ladder.num_pairs[f]));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// A line per test, the first on top; a point per family where it tells some apart.
Plot tests_plot(const Ladder& ladder) {
  Plot plot;
  plot.name = "tests";
  plot.x.label = ladder.of_graphs ? "classes, % of the graphs" : "pairs told apart, %";
  plot.x.min = 0;
  plot.x.max = 100;
  for (const wl::WlTest& test : ladder.tests) plot.y.categories.push_back(wl::describe(test));
  plot.height = 60 + 26 * static_cast<double>(ladder.tests.size());
  plot.width = 620;
  for (std::size_t f = 0; f < ladder.families.size(); ++f) {
    Series series;
    series.name = ladder.families[f];
    series.style = Series::Style::kLinesPoints;
    for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
      if (!ladder.rows[t][f].failure.empty() || ladder.num_pairs[f] == 0) continue;
      series.x.push_back(100 * static_cast<double>(ladder.rows[t][f].distinguished()) /
                         static_cast<double>(ladder.num_pairs[f]));
      series.y.push_back(static_cast<double>(t));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

Table ladder_table(const Ladder& ladder) { return table_of(ladder, "ladder", false); }

Page ladder_page(const Ladder& ladder, const std::string& command) {
  Page page("Which test tells which graphs apart", command);
  const std::size_t pairs = std::accumulate(ladder.num_pairs.begin(), ladder.num_pairs.end(), std::size_t{0});
  Text answer(ladder.of_graphs ? fmt::format("Of {} graphs, classes by ", pairs)
                               : fmt::format("Of {} pairs, told apart by ", pairs));
  bool is_first = true;
  for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
    const wl::WlTest& test = ladder.tests[t];
    const bool is_told = test.kind == wl::Kind::kVertices || test.kind == wl::Kind::kTuples ||
                         (is_plain_rows(test) && (test.radius.is_all() || test.radius.steps() <= 2)) ||
                         ladder.tests.size() <= 8;
    if (is_told)
      answer.plain(std::exchange(is_first, false) ? "" : "; ")
          .plain(wl::describe(test) + ": ")
          .strong(fmt::format("{}", total(ladder.rows[t])));
  }
  answer.plain(".");
  if (const std::optional<std::size_t> cheapest = wl::cheapest_that_suffices(ladder))
    answer.plain(" The cheapest that tells all apart: ")
        .strong(wl::describe(ladder.tests[*cheapest]))
        .plain(".");
  page.answer(answer);
  if (!ladder.networks.empty())
    page.paragraph(sentence("Networks with random weights", compare(ladder, ladder.networks)));
  if (!ladder.trained.empty())
    page.paragraph(sentence("Networks trained on each pair", compare(ladder, ladder.trained)));

  page.section(ladder.of_graphs ? "Classes" : "Pairs told apart");
  page.table(table_of(ladder, "ladder", false),
             {Text(ladder.of_graphs
                       ? "Into how many classes each test sorts the graphs of each family. They are exact."
                       : "How many pairs of each family are told apart; the first row says how many there are. "
                         "Verdicts of tests "
                         "are exact, and networks cannot tell more apart than the test of the same rows."),
              ""});
  if (ladder.tests.size() > 1) {
    page.section("Test by test");
    page.plot(tests_plot(ladder),
              {Text("The share of each family, one line per family, one height per test."), ""});
  }
  if (std::count_if(ladder.tests.begin(), ladder.tests.end(), is_plain_rows) > 1) {
    page.section("The radius");
    page.plot(radius_plot(ladder),
              {Text("2-wl on pairs of nodes up to that distance: one point per family and radius."), ""});
  }
  page.section("Seconds");
  page.table(table_of(ladder, "seconds", true),
             {Text("By the clock, all pairs of a family together; one run."), ""});
  return page;
}

}  // namespace twofold::report
