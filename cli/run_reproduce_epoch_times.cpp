#include "cli/command_reproduce_epoch_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "cli/epoch_bench.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/generate_ring.h"
#include "twofold/io/dataset_file.h"
#include "twofold/paper/comparison.h"

namespace twofold::cli {
namespace {

using paper::EpochTimes;
using report::Series;
using report::Text;

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr int kRadii[] = {1, 2, 3};
constexpr int kMidNodes = 1024;  // where degrees vary, and from where on growth in n is fitted

// How much is measured.
struct Scale {
  std::vector<int> nodes;
  std::vector<int> degrees = {2, 3, 4, 5, 6};
  std::size_t graphs = 100;
  std::size_t real_graphs = 0;  // of a real dataset; 0: all
  int least_epochs = 3;
};

Scale scale_of(const ReproduceOptions& options) {
  Scale scale;
  if (options.quick) {
    scale.nodes = {64, 256, 1024, 2048, 4096};
    scale.graphs = 20;
    scale.real_graphs = 300;
    scale.least_epochs = 2;
  } else {
    for (int n = 16; n <= 16384; n *= 2) scale.nodes.push_back(n);
  }
  return scale;
}

struct EpochTime {
  double milliseconds = kNotMeasured;
  double triples = 0;
  std::size_t parameters = 0;
};

// The paper's networks: three convolutions 24 wide, the last one to the outputs, logistic, mean of the rows;
// and a GIN of about as many parameters.
model::LearnSettings pair_settings(int radius, const char* engine, int batch) {
  return resolve_timed("2-wl-gnn", {{"radius", std::to_string(radius)},
                                    {"layers", "3"},
                                    {"width", "24"},
                                    {"activation", "logistic"},
                                    {"inner-activation", "logistic"},
                                    {"pooling", "mean"},
                                    {"head", "none"},
                                    {"jumping-knowledge", "false"},
                                    {"engine", engine},
                                    {"batch", std::to_string(batch)},
                                    {"batch-rows-max", "1300000"}});
}
model::LearnSettings gin_settings(int batch) {
  return resolve_timed("gin", {{"layers", "2"},
                               {"width", "19"},
                               {"engine", "fused"},
                               {"node-attributes", "false"},
                               {"batch", std::to_string(batch)},
                               {"batch-rows-max", "1300000"}});
}

class Stopwatch {
 public:
  Stopwatch(const ReproduceOptions& options, const Scale& scale, Progress progress, std::uint64_t total)
      : options_(options), scale_(scale), progress_(std::move(progress)), total_(total) {}

  // The shortest of several epochs after one to warm up: more of them where they are short.
  EpochTime measure(const model::LearnSettings& settings, const Dataset& dataset, std::size_t limit) {
    EpochBench bench({limit, options_.seed, options_.threads, options_.max_memory}, settings, dataset);
    EpochBench::Contestant contestant = bench.prepare(settings.engine.kind);
    bench.run_epoch(contestant, false);
    constexpr double kEnough = 0.3;
    constexpr int kMost = 20;
    double spent = 0;
    for (int i = 0; i < kMost && (i < scale_.least_epochs || spent < kEnough); ++i) {
      bench.run_epoch(contestant, true);
      spent += contestant.seconds.back();
    }
    if (progress_) progress_(++done_, total_);
    return {1000 * contestant.best(), static_cast<double>(bench.num_triples(contestant)),
            bench.num_parameters()};
  }

 private:
  const ReproduceOptions& options_;
  const Scale& scale_;
  Progress progress_;
  std::uint64_t done_ = 0;
  std::uint64_t total_;
};

// All that is measured of one kind of generated graph.
struct Point {
  int x = 0;  // nodes or degree
  EpochTime gin;
  EpochTime rows[3];  // r = 1, 2, 3, row by row
  EpochTime colors;   // r = 3, rows of one color once
};

Point measure_point(Stopwatch& watch, int x, std::size_t nodes, std::size_t degree, const Scale& scale) {
  constexpr int kBatch = 100;
  graph::HyperloopOptions shape;
  shape.n = nodes;
  shape.degree = degree;
  shape.num_graphs = scale.graphs;
  const Dataset dataset = graph::generate_hyperloop(shape);
  Point point;
  point.x = x;
  point.gin = watch.measure(gin_settings(kBatch), dataset, 0);
  for (const int r : kRadii) point.rows[r - 1] = watch.measure(pair_settings(r, "fused", kBatch), dataset, 0);
  point.colors = watch.measure(pair_settings(3, "colors", kBatch), dataset, 0);
  return point;
}

// One of the real datasets.
struct RealPoint {
  FoundDataset found;
  EpochTime gin, at_one, at_one_auto, at_radius, at_radius_auto;
};

RealPoint measure_real(Stopwatch& watch, const FoundDataset& found, const Scale& scale, int threads) {
  constexpr int kBatch = 32;
  const Dataset dataset = io::read_dataset(found.path, threads);
  RealPoint point;
  point.found = found;
  const int radius = found.dataset().radius;
  point.gin = watch.measure(gin_settings(kBatch), dataset, scale.real_graphs);
  point.at_one = watch.measure(pair_settings(1, "fused", kBatch), dataset, scale.real_graphs);
  point.at_one_auto = watch.measure(pair_settings(1, "auto", kBatch), dataset, scale.real_graphs);
  if (radius > 1) {
    point.at_radius = watch.measure(pair_settings(radius, "fused", kBatch), dataset, scale.real_graphs);
    point.at_radius_auto = watch.measure(pair_settings(radius, "auto", kBatch), dataset, scale.real_graphs);
  }
  return point;
}

double slope(const std::vector<Point>& points, int from, const std::function<double(const Point&)>& pick) {
  std::vector<double> x, y;
  for (const Point& point : points)
    if (point.x >= from) {
      x.push_back(point.x);
      y.push_back(pick(point));
    }
  return paper::log_log_slope(x, y);
}

double published_slope(const std::vector<EpochTimes>& times, int from,
                       const std::function<double(const EpochTimes&)>& pick) {
  std::vector<double> x, y;
  for (const EpochTimes& time : times)
    if (time.x >= from) {
      x.push_back(time.x);
      y.push_back(pick(time));
    }
  return paper::log_log_slope(x, y);
}

report::Plot time_plot(const std::vector<Point>& points, const std::vector<EpochTimes>& published,
                       const std::string& label, bool is_log) {
  report::Plot plot;
  plot.name = "times by " + label;
  plot.x = {label, is_log, {}, {}, {}};
  plot.y = {"epoch (ms)", is_log, {}, {}, {}};
  plot.height = 360;
  const auto add = [&](const std::string& name, int color, bool dashed, const auto& list, const auto& pick) {
    Series series;
    series.name = name;
    series.style = dashed ? Series::Style::kLines : Series::Style::kLinesPoints;
    series.color = color;
    series.dashed = dashed;
    for (const auto& item : list) {
      series.x.push_back(item.x);
      series.y.push_back(pick(item));
    }
    plot.series.push_back(std::move(series));
  };
  add("GIN", 0, false, points, [](const Point& p) { return p.gin.milliseconds; });
  for (const int r : kRadii)
    add(fmt::format("r = {}", r), r, false, points, [r](const Point& p) { return p.rows[r - 1].milliseconds; });
  add("r = 3 on colors", 4, false, points, [](const Point& p) { return p.colors.milliseconds; });
  if (is_log) {
    add("paper: GIN", 0, true, published, [](const EpochTimes& t) { return t.gin; });
    for (const int r : kRadii)
      add(fmt::format("paper: r = {}", r), r, true, published,
          [r](const EpochTimes& t) { return t.pairs[r - 1]; });
  }
  return plot;
}

report::Table time_table(const std::string& name, const std::string& x_name, const std::vector<Point>& points) {
  using report::number_column;
  report::Table table(
      name,
      {number_column("x", x_name, 0), number_column("gin", "GIN (ms)", -3), number_column("r1", "r = 1", -3),
       number_column("r2", "r = 2", -3), number_column("r3", "r = 3", -3),
       number_column("r3_colors", "r = 3 on colors", -3), number_column("triples1", "triples, r = 1", 0),
       number_column("triples2", "r = 2", 0), number_column("triples3", "r = 3", 0)});
  for (const Point& p : points)
    table.add_row({report::number_cell(p.x), report::number_cell(p.gin.milliseconds),
                   report::number_cell(p.rows[0].milliseconds), report::number_cell(p.rows[1].milliseconds),
                   report::number_cell(p.rows[2].milliseconds), report::number_cell(p.colors.milliseconds),
                   report::number_cell(p.rows[0].triples), report::number_cell(p.rows[1].triples),
                   report::number_cell(p.rows[2].triples)});
  return table;
}

report::Table slowdown_table(const std::vector<Point>& points) {
  using report::number_column;
  report::Table table("slowdowns", {number_column("d", "d", 0), number_column("r1", "r = 1", 1),
                                    number_column("paper1", "paper", 1), number_column("r2", "r = 2", 1),
                                    number_column("paper2", "paper", 1), number_column("r3", "r = 3", 1),
                                    number_column("paper3", "paper", 1)});
  for (const Point& p : points)
    for (const EpochTimes& t : paper::published_times_over_degree()) {
      if (t.x != p.x) continue;
      std::vector<report::Cell> cells = {report::number_cell(p.x)};
      for (int r = 0; r < 3; ++r) {
        cells.push_back(report::number_cell(p.rows[r].milliseconds / p.gin.milliseconds));
        cells.push_back(report::number_cell(t.pairs[r] / t.gin).with(report::Tone::kFaint));
      }
      table.add_row(std::move(cells));
    }
  return table;
}

report::Table exponent_table(const std::vector<Point>& over_n, const std::vector<Point>& over_d) {
  using report::number_cell;
  using report::number_column;
  report::Table table(
      "exponents", {report::text_column("network", "network"), number_column("n", "of n", 2),
                    number_column("n_paper", "of n, paper", 2), number_column("d", "of d", 2),
                    number_column("d_paper", "of d, paper", 2), number_column("d_triples", "of d, triples", 2),
                    number_column("d_bound", "of d, bound 2r", 0)});
  const auto& times_n = paper::published_times_over_nodes();
  const auto& times_d = paper::published_times_over_degree();
  const auto gin = [](const Point& p) { return p.gin.milliseconds; };
  const auto paper_gin = [](const EpochTimes& t) { return t.gin; };
  table.add_row({report::text_cell("GIN"), number_cell(slope(over_n, kMidNodes, gin)),
                 number_cell(published_slope(times_n, kMidNodes, paper_gin)),
                 number_cell(slope(over_d, 0, gin)), number_cell(published_slope(times_d, 0, paper_gin)),
                 report::empty_cell(), report::empty_cell()});
  for (const int r : kRadii) {
    const auto time = [r](const Point& p) { return p.rows[r - 1].milliseconds; };
    const auto triples = [r](const Point& p) { return p.rows[r - 1].triples; };
    const auto published = [r](const EpochTimes& t) { return t.pairs[r - 1]; };
    table.add_row({report::text_cell(fmt::format("2-WL-GNN, r = {}", r)),
                   number_cell(slope(over_n, kMidNodes, time)),
                   number_cell(published_slope(times_n, kMidNodes, published)),
                   number_cell(slope(over_d, 0, time)), number_cell(published_slope(times_d, 0, published)),
                   number_cell(slope(over_d, 0, triples)), number_cell(2 * r)});
  }
  return table;
}

report::Table real_table(const std::vector<RealPoint>& points) {
  using report::number_cell;
  using report::number_column;
  report::Table table(
      "real", {report::text_column("dataset", "dataset"), number_column("r", "r", 0),
               number_column("gin", "GIN (ms)", -3), number_column("rows", "2-WL-GNN (ms)", -3),
               number_column("factor", "slow-down", 2), number_column("paper", "paper", 2),
               number_column("auto", "on auto (ms)", -3), number_column("auto_factor", "slow-down", 2)});
  const auto add = [&](const RealPoint& p, int radius, const EpochTime& rows, const EpochTime& chosen,
                       double published) {
    const double gin = p.gin.milliseconds;
    table.add_row({report::text_cell(p.found.dataset().name), number_cell(radius), number_cell(gin),
                   number_cell(rows.milliseconds), number_cell(rows.milliseconds / gin),
                   number_cell(published).with(report::Tone::kFaint), number_cell(chosen.milliseconds),
                   number_cell(chosen.milliseconds / gin)});
  };
  table.start_group("r = 1");
  for (const RealPoint& p : points) {
    const paper::RealEpochTimes& t = paper::published_real_times()[p.found.number];
    add(p, 1, p.at_one, p.at_one_auto, t.at_one / t.gin);
  }
  table.start_group("the paper's radii");
  for (const RealPoint& p : points) {
    const paper::RealEpochTimes& t = paper::published_real_times()[p.found.number];
    if (p.found.dataset().radius > 1)
      add(p, p.found.dataset().radius, p.at_radius, p.at_radius_auto, t.at_radius / t.gin);
  }
  return table;
}

std::string answer_of(const std::vector<Point>& over_n, const std::vector<Point>& over_d) {
  double n[3], d[3];
  for (int r = 0; r < 3; ++r) {
    n[r] = slope(over_n, kMidNodes, [r](const Point& p) { return p.rows[r].milliseconds; });
    d[r] = slope(over_d, 0, [r](const Point& p) { return p.rows[r].milliseconds; });
  }
  return fmt::format(
      "An epoch takes time that grows as n to the {:.2f}, {:.2f} and {:.2f} for r = 1, 2 and 3, and as d to "
      "the {:.1f}, {:.1f} and {:.1f} "
      "(the bound is d to the 2, 4 and 6).",
      n[0], n[1], n[2], d[0], d[1], d[2]);
}

}  // namespace

int run_reproduce_epoch_times(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  require_output(options);
  const Scale scale = scale_of(options);
  std::vector<FoundDataset> datasets;
  std::uint64_t total = 5 * (scale.nodes.size() + scale.degrees.size());
  for (std::size_t d = paper::kTriangle + 1; d < paper::kNumDatasets; ++d) {
    datasets.push_back(find_dataset(options.data, d));
    if (!datasets.back().is_missing()) total += datasets.back().dataset().radius > 1 ? 5 : 3;
  }
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  std::vector<Point> over_n, over_d;
  std::vector<RealPoint> real;
  {
    ProgressOptions shown;
    shown.label = "epoch-times";
    shown.unit = "measurements";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    Stopwatch watch(options, scale, line.progress(), total);
    for (const int n : scale.nodes)
      over_n.push_back(measure_point(watch, n, static_cast<std::size_t>(n), 2, scale));
    for (const int d : scale.degrees)
      over_d.push_back(measure_point(watch, d, kMidNodes, static_cast<std::size_t>(d), scale));
    for (const FoundDataset& found : datasets)
      if (!found.is_missing()) real.push_back(measure_real(watch, found, scale, options.threads));
  }

  report::Page page = start_page("Epoch times (Appendix E)", "epoch-times", options);
  page.answer(answer_of(over_n, over_d));
  page.paragraph(
      fmt::format("{} graphs per set, {}, the shortest of {} and more epochs after one to warm up. "
                  "2-WL-GNN: three convolutions, 24 wide, {} parameters; "
                  "GIN: two convolutions, 19 wide, {} parameters. The paper's times are those of TensorFlow on "
                  "one GPU, with 100 graphs.",
                  scale.graphs, threads_text(options.threads), scale.least_epochs, over_n[0].rows[0].parameters,
                  over_n[0].gin.parameters));
  constexpr double kIdle = 0.7;
  if (load > kIdle)
    page.warning(fmt::format(
        "The machine was busy when this began (load {:.1f}): times are too long, and not all alike.", load));
  if (options.quick)
    page.warning(Text("Quick run: fewer and smaller graphs than the paper's. Without ")
                     .code("--quick")
                     .plain(" all are taken."));
  warn_of_missing(page, datasets, options.data);
  page.section("Over the number of nodes");
  page.plot(time_plot(over_n, paper::published_times_over_nodes(), "nodes n", true),
            {"Degree 2. Solid: ours, row by row but for the last; dashed: the paper's.", ""});
  page.table(time_table("over_nodes", "n", over_n), {"Milliseconds an epoch.", ""});
  page.section("Over the degree");
  page.plot(time_plot(over_d, paper::published_times_over_degree(), "degree d", false), {"1024 nodes.", ""});
  page.table(time_table("over_degree", "d", over_d), {"Milliseconds an epoch.", ""});
  page.section("Exponents");
  page.table(exponent_table(over_n, over_d),
             {"Slopes of straight lines fitted to log time over log n (from n = 1024 on) and over log d. What "
              "is bounded by d^2r is the "
              "number of triples, whose own slope stands beside it: on these graphs it is smaller.",
              ""});
  page.section("How many times as long as GIN");
  page.table(slowdown_table(over_d), {"At 1024 nodes, by degree.", ""});
  if (!real.empty())
    page.table(real_table(real),
               {fmt::format("Real datasets{}, batches of 32; on auto, twofold takes rows or colors, whichever "
                            "is faster. The paper's "
                            "factors are 1.15 to 1.57 and 2.70 to 4.87.",
                            scale.real_graphs == 0 ? "" : fmt::format(", {} graphs each", scale.real_graphs)),
                ""});
  finish_page(page, "epoch-times", options, {"exponents", "slowdowns", "real"}, datasets, out);
  return 0;
}

}  // namespace twofold::cli
