#include "twofold/eval/result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "twofold/base/csv.h"
#include "twofold/base/error.h"
#include "twofold/eval/mean_std.h"
#include "twofold/eval/protocol.h"
#include "twofold/eval/seal.h"
#include "twofold/eval/sureness.h"
#include "twofold/eval/task_file.h"

namespace twofold::eval {
namespace {

using model::Config;

Config twins_to_json(const Plan& plan, const model::Targets& targets, const model::TwinClasses& twins) {
  const model::Duplicates duplicates = count_duplicates(twins, targets.of(targets.known()));
  model::TestTwins sum;
  std::vector<double> ceilings;
  for (const Fold& fold : plan.splits) {
    const model::TestTwins one = count_test_twins(twins, targets.of(fold.train), targets.of(fold.test));
    sum.num_graphs += one.num_graphs;
    sum.twins += one.twins;
    sum.mislead += one.mislead;
    ceilings.push_back(one.ceiling);
  }
  Config json = {{"seen_by", twins.seen_by},          {"graphs", duplicates.num_graphs},
                 {"classes", duplicates.num_classes}, {"sharing", duplicates.sharing},
                 {"mixed", duplicates.mixed},         {"test_graphs", sum.num_graphs},
                 {"test_with_train_twin", sum.twins}, {"test_with_other_label", sum.mislead}};
  if (targets.task().is_classification()) {
    json["ceiling"] = duplicates.ceiling;
    json["test_ceiling"] = mean_std(ceilings).mean;
  }
  return json;
}

// The parts of a fold that are scored, in the order in which records name them.
struct Part {
  const char* name;
  MetricValues FinalRun::*metrics;
};
constexpr Part kParts[] = {{"test", &FinalRun::test_metrics},
                           {"train", &FinalRun::train_metrics},
                           {"validation", &FinalRun::validation_metrics}};

// The mean of each metric.
MetricValues means_of(const std::vector<MetricValues>& rows) {
  MetricValues means;
  for (std::size_t m = 0; m < rows[0].size(); ++m) {
    std::vector<double> values;
    for (const MetricValues& row : rows) values.push_back(row[m]);
    means.push_back(mean_std(values).mean);
  }
  return means;
}

Config values_json(const std::vector<model::Metric>& metrics, const MetricValues& values) {
  Config json = Config::object();
  for (std::size_t m = 0; m < metrics.size(); ++m) json[model::metric_name(metrics[m])] = number(values[m]);
  return json;
}

class Summary {
 public:
  Summary(const Plan& plan, const RunFolder& folder, const model::Targets& targets)
      : plan_(plan), task_(targets.task()), metrics_(metrics_of(task_)) {
    for (std::size_t f = 0; f < plan.splits.size(); ++f) {
      tests_.push_back(targets.of(plan.splits[f].test));
      runs_.emplace_back();
      for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r)
        runs_.back().push_back(read_final(plan, folder, {true, f, 0, r}, task_, tests_.back()));
      if (plan.search == Search::kHalving) rungs_.push_back(rungs_json(plan, folder, f));
      spared_.push_back(0);
      for (std::size_t c = 0; plan.search == Search::kUntilPerfect && c < plan.grid.size(); ++c)
        spared_.back() += perfect_before(plan, folder, {false, f, c}) ? 1 : 0;
      did_not_learn_.push_back(0);
      for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r)
        did_not_learn_.back() += read_validation(plan, folder, {true, f, 0, r}).did_not_learn ? 1 : 0;
    }
  }

  Config json() {
    Config folds = Config::array();
    for (std::size_t f = 0; f < plan_.splits.size(); ++f) folds.push_back(fold_json(f));
    // One radius, if the grid leaves no choice.
    Config radius = nullptr;
    if (plan_.grid[0].contains("radius")) {
      radius = plan_.grid[0]["radius"];
      for (const Config& config : plan_.grid)
        if (config["radius"] != radius) radius = nullptr;
    }
    const MeanStd test = mean_std(tests_means_), train = mean_std(train_means_),
                  validation = mean_std(validation_means_);
    Config result = {{"dataset", plan_.dataset},
                     {"model", plan_.model},
                     {"radius", radius},
                     {"preset", plan_.preset},
                     {"metric", model::metric_name(plan_.metric)},
                     {"configurations", plan_.grid.size()},
                     {"repeats", plan_.repeats},
                     {"seed", plan_.seed},
                     {"folds", folds},
                     {"test_mean", number(test.mean)},
                     {"test_std", number(test.std)},
                     {"train_mean", number(train.mean)},
                     {"train_std", number(train.std)},
                     {"validation_mean", number(validation.mean)},
                     {"validation_std", number(validation.std)},
                     {"metrics", all_metrics()}};
    if (plan_.search != Search::kGrid) result["search"] = to_string(plan_.search);
    if (plan_.refit) result["refit"] = true;
    if (plan_.inner_folds > 1) result["inner_folds"] = plan_.inner_folds;
    if (const int failed = std::accumulate(did_not_learn_.begin(), did_not_learn_.end(), 0); failed > 0)
      result["did_not_learn"] = failed;
    if (task_.is_classification()) result["confusion"] = confusion();
    if (task_.value_names.size() > 1) result["targets"] = targets_json();
    Sureness sureness(plan_.repeats);
    for (std::size_t f = 0; f < runs_.size(); ++f)
      for (const FinalRun& run : runs_[f])
        if (!run.sureness.is_null()) sureness.add(f, {run.sureness, "sureness"}, tests_[f], run.predictions);
    sureness.write(result);
    return result;
  }

  std::string predictions() const {
    std::vector<std::pair<std::uint32_t, std::string>> lines;
    for (std::size_t f = 0; f < tests_.size(); ++f)
      for (std::size_t i = 0; i < tests_[f].size(); ++i)
        lines.emplace_back(tests_[f].graphs[i],
                           fmt::format("{},{}{}\n", tests_[f].graphs[i] + 1, f + 1,
                                       task_.is_classification() ? class_cells(f, i) : value_cells(f, i)));
    std::sort(lines.begin(), lines.end());
    std::string text = header();
    for (const auto& [graph, line] : lines) text += line;
    return text;
  }

 private:
  // What halving trained: of every rung the configurations, the best first.
  static Config rungs_json(const Plan& plan, const RunFolder& folder, std::size_t fold) {
    Config json = Config::array();
    const std::vector<Rung> rungs = rungs_of(plan);
    for (std::size_t k = 0; k < rungs.size(); ++k) {
      Config configs = Config::array();
      for (const TaskScores& one : ranked_rung(plan, folder, fold, k)) configs.push_back(one.config);
      json.push_back({{"epochs_of", rungs[k].share}, {"configs", configs}});
    }
    return json;
  }

  Config fold_json(std::size_t f) {
    const std::vector<FinalRun>& finals = runs_[f];
    std::vector<double> test, train, validation;
    Config runs = Config::array();
    for (const FinalRun& run : finals) {
      test.push_back(run.test);
      train.push_back(run.scores.train);
      validation.push_back(run.scores.validation);
      Config metrics = Config::object();
      for (const Part& part : kParts) metrics[part.name] = values_json(metrics_, run.*part.metrics);
      runs.push_back({{"test", number(run.test)},
                      {"train", number(run.scores.train)},
                      {"validation", number(run.scores.validation)},
                      {"metrics", metrics}});
    }
    tests_means_.push_back(mean_std(test).mean);
    train_means_.push_back(mean_std(train).mean);
    validation_means_.push_back(mean_std(validation).mean);
    Config metrics = Config::object();
    for (const Part& part : kParts) metrics[part.name] = values_json(metrics_, fold_means(f, part));
    const std::size_t chosen = finals.back().scores.config;
    const Fold& fold = plan_.splits[f];
    Config json = {
        {"test", number(tests_means_.back())},
        {"train", number(train_means_.back())},
        {"validation", number(validation_means_.back())},
        {"metrics", metrics},
        {"config", plan_.grid.at(chosen)},
        {"config_index", chosen},
        {"runs", runs},
        {"graphs",
         {{"train", fold.train.size()}, {"validation", fold.validation.size()}, {"test", fold.test.size()}}}};
    if (!rungs_.empty()) json["rungs"] = rungs_[f];
    if (spared_[f] > 0) json["spared"] = spared_[f];
    if (did_not_learn_[f] > 0) json["did_not_learn"] = did_not_learn_[f];
    return json;
  }

  // The means over the final runs of a fold.
  MetricValues fold_means(std::size_t f, const Part& part) const {
    std::vector<MetricValues> rows;
    for (const FinalRun& run : runs_[f]) rows.push_back(run.*part.metrics);
    return means_of(rows);
  }

  Config all_metrics() const {
    Config json = Config::object();
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      Config one = Config::object();
      for (const Part& part : kParts) {
        std::vector<double> folds;
        for (std::size_t f = 0; f < runs_.size(); ++f) folds.push_back(fold_means(f, part)[m]);
        const MeanStd spread = mean_std(folds);
        one[part.name + std::string("_mean")] = number(spread.mean);
        one[part.name + std::string("_std")] = number(spread.std);
      }
      json[model::metric_name(metrics_[m])] = std::move(one);
    }
    return json;
  }

  // Of several targets each: every metric on the test graphs, over the folds that have an answer.
  Config targets_json() const {
    Config json = Config::array();
    for (const std::string& name : task_.value_names) json.push_back({{"name", record::valid_utf8(name)}});
    for (const model::Metric metric : metrics_) {
      std::vector<std::vector<double>> folds(task_.value_names.size());
      for (std::size_t f = 0; f < runs_.size(); ++f) {
        std::vector<double> sums(task_.value_names.size(), 0);
        for (const FinalRun& run : runs_[f]) {
          const std::vector<double> each = target_scores(metric, tests_[f], run.predictions);
          for (std::size_t c = 0; c < each.size(); ++c) sums[c] += each[c];
        }
        for (std::size_t c = 0; c < sums.size(); ++c)
          if (!std::isnan(sums[c])) folds[c].push_back(sums[c] / static_cast<double>(runs_[f].size()));
      }
      for (std::size_t c = 0; c < folds.size(); ++c) {
        const MeanStd spread = mean_std(folds[c]);
        json[c][model::metric_name(metric)] = {{"test_mean", number(spread.mean)},
                                               {"test_std", number(spread.std)}};
      }
    }
    return json;
  }

  // Summed over the folds, the mean over the runs of each.
  Config confusion() const {
    const std::size_t classes = task_.class_names.size();
    model::Confusion sum(classes, classes);
    for (std::size_t f = 0; f < runs_.size(); ++f)
      for (const FinalRun& run : runs_[f])
        for (std::size_t i = 0; i < tests_[f].size(); ++i)
          sum.add(tests_[f].class_of[i], run.predictions.class_of[i]);
    Config counts = Config::array();
    for (std::size_t c = 0; c < classes; ++c) {
      Config row = Config::array();
      for (std::size_t k = 0; k < classes; ++k) {
        const std::uint64_t count = sum.at(c, k), repeats = static_cast<std::uint64_t>(plan_.repeats);
        if (count % repeats == 0)
          row.push_back(count / repeats);
        else
          row.push_back(static_cast<double>(count) / static_cast<double>(repeats));
      }
      counts.push_back(std::move(row));
    }
    Config names = Config::array();
    for (const std::string& name : task_.class_names) names.push_back(record::valid_utf8(name));
    return {{"classes", names}, {"counts", counts}};
  }

  std::string header() const {
    std::string text = "graph,fold";
    if (task_.is_classification()) {
      text += ",truth,predicted";
      if (has_scores())
        for (const std::string& name : task_.class_names) text += "," + csv_cell("score:" + name);
      return text + "\n";
    }
    const std::size_t values = task_.num_outputs();
    for (const char* what : {"truth", "predicted"})
      for (std::size_t j = 0; j < values; ++j)
        text += "," +
                (values == 1 ? std::string(what) : csv_cell(fmt::format("{}:{}", what, task_.value_names[j])));
    return text + "\n";
  }

  // Runs of before they were recorded have none.
  bool has_scores() const {
    for (const std::vector<FinalRun>& fold : runs_)
      for (const FinalRun& run : fold)
        if (run.predictions.scores.empty()) return false;
    return true;
  }

  std::string class_cells(std::size_t f, std::size_t i) const {
    const std::size_t classes = task_.class_names.size();
    const bool with_scores = has_scores();
    std::vector<std::size_t> votes(classes, 0);
    std::vector<double> scores(classes, 0);
    for (const FinalRun& run : runs_[f]) {
      ++votes[run.predictions.class_of[i]];
      for (std::size_t c = 0; with_scores && c < classes; ++c)
        scores[c] += run.predictions.scores[i * classes + c];
    }
    std::size_t best = 0;
    for (std::size_t c = 1; c < classes; ++c)
      if (votes[c] > votes[best] || (votes[c] == votes[best] && scores[c] > scores[best])) best = c;
    std::string cells =
        "," + csv_cell(task_.class_names[tests_[f].class_of[i]]) + "," + csv_cell(task_.class_names[best]);
    for (std::size_t c = 0; with_scores && c < classes; ++c)
      cells += "," + number_cell(scores[c] / static_cast<double>(plan_.repeats));
    return cells;
  }

  std::string value_cells(std::size_t f, std::size_t i) const {
    const std::size_t values = task_.num_outputs();
    std::string cells;
    for (std::size_t j = 0; j < values; ++j) cells += "," + number_cell(tests_[f].values[i * values + j]);
    for (std::size_t j = 0; j < values; ++j) {
      double sum = 0;
      for (const FinalRun& run : runs_[f]) sum += run.predictions.values[i * values + j];
      cells += "," + number_cell(sum / static_cast<double>(plan_.repeats));
    }
    return cells;
  }

  // All digits; nothing for what is no number.
  static std::string number_cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

  const Plan& plan_;
  const model::Task& task_;
  std::vector<model::Metric> metrics_;
  std::vector<model::LabeledGraphs> tests_;                           // a fold
  std::vector<std::vector<FinalRun>> runs_;                           // a fold
  std::vector<Config> rungs_;                                         // a fold, by halving
  std::vector<int> spared_;                                           // a fold: configurations
  std::vector<int> did_not_learn_;                                    // a fold: of its final runs
  std::vector<double> tests_means_, train_means_, validation_means_;  // a fold
};

void copy_keys(const Config& from, Config& to, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (from.contains(key)) to[key] = from.at(key);
}

Config metrics_without_tests(const Config& metrics) {
  Config json = Config::object();
  copy_keys(metrics, json, {"train", "validation"});
  return json;
}

}  // namespace

Result summarize(const Plan& plan, const RunFolder& folder, const model::Targets& targets,
                 const std::optional<model::TwinClasses>& twins) {
  Summary summary(plan, folder, targets);
  Result result;
  result.json = summary.json();
  result.predictions = summary.predictions();
  if (twins) result.json["twins"] = twins_to_json(plan, targets, *twins);
  return result;
}

// Takes over what is known to be harmless: a key that is added later stays sealed until it is named here.
Config without_tests(const Config& result) {
  Config open = Config::object();
  copy_keys(result, open,
            {"dataset", "model", "radius", "preset", "metric", "configurations", "repeats", "seed", "refit",
             "inner_folds"});
  open["sealed"] = true;
  Config folds = Config::array();
  for (const Config& fold : result.at("folds")) {
    Config one = Config::object();
    copy_keys(fold, one, {"train", "validation"});
    one["metrics"] = metrics_without_tests(fold.at("metrics"));
    copy_keys(fold, one, {"config", "config_index"});
    Config runs = Config::array();
    for (const Config& run : fold.at("runs")) {
      Config of_run = Config::object();
      copy_keys(run, of_run, {"train", "validation"});
      of_run["metrics"] = metrics_without_tests(run.at("metrics"));
      runs.push_back(std::move(of_run));
    }
    one["runs"] = std::move(runs);
    copy_keys(fold, one, {"graphs", "rungs", "spared", "did_not_learn"});
    folds.push_back(std::move(one));
  }
  open["folds"] = std::move(folds);
  const std::initializer_list<const char*> kSpreads = {"train_mean", "train_std", "validation_mean",
                                                       "validation_std"};
  copy_keys(result, open, kSpreads);
  Config metrics = Config::object();
  for (const auto& item : result.at("metrics").items()) {
    metrics[item.key()] = Config::object();
    copy_keys(item.value(), metrics[item.key()], kSpreads);
  }
  open["metrics"] = std::move(metrics);
  copy_keys(result, open, {"search", "did_not_learn", "twins", "ignores"});
  return open;
}

Config write_result(RunFolder& folder, const Plan& plan, const Result& result) {
  if (!plan.blind || folder.has("revealed.json")) {
    folder.write_text("predictions.csv", result.predictions);
    folder.write("result.json", result.json, 1);
    return result.json;
  }
  const Config hidden = {{"result", result.json}, {"predictions", result.predictions}};
  folder.write("sealed.json", {{"sealed", seal(folder, "result", hidden)}});
  Config open = without_tests(result.json);
  folder.write("result.json", open, 1);
  return open;
}

}  // namespace twofold::eval
