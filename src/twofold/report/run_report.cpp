#include "twofold/report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/report/delta_matrix.h"
#include "twofold/report/figures.h"
#include "twofold/report/fold_tables.h"
#include "twofold/report/metric_tables.h"
#include "twofold/report/progress_tables.h"
#include "twofold/report/record_tables.h"
#include "twofold/report/results_table.h"
#include "twofold/report/run_command.h"
#include "twofold/report/run_curves.h"
#include "twofold/report/run_groups.h"
#include "twofold/report/sureness_tables.h"

namespace twofold::report {
namespace {

using record::Json;
// More groups than the first get a sentence each, more than the second are answered by a table.
constexpr std::size_t kFewGroups = 2;
constexpr std::size_t kSomeGroups = 6;
// A wider matrix of classes fits no page.
constexpr std::size_t kMostClasses = 20;
constexpr const char* kMetricUnits = " (percent; MAE and RMSE in units of the target)";

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

// With every figure a line is enough; the last section has it all.
std::string short_command(const std::string& command) {
  constexpr std::size_t kLongLine = 110;
  const std::size_t output = command.rfind(" -o ");
  if (command.size() <= kLongLine || output == std::string::npos) return command;
  return "twofold report …" + command.substr(output);
}

class RunReport {
 public:
  RunReport(const RunViews& views, const RunReportOptions& options)
      : views_(views),
        groups_(group_runs(views.runs)),
        command_(options.command),
        page_(make_title(options), short_command(options.command)) {
    page_.made_by(options.maker);
    page_.reload_after(options.reload);
  }

  Page make() {
    answer();
    if (!views_.going.empty()) going();
    if (groups_.empty()) {
      tell_gaps();
      page_.section("Commands and records");
      page_.commands({command_});
      return std::move(page_);
    }
    page_.section("Results");
    tell_gaps();
    if (groups_.size() > kFewGroups) overview();
    for (const RunGroup& group : groups_) results(group);
    metrics_and_classes();
    sureness();
    page_.section("Fold by fold");
    for (const RunGroup& group : groups_) folds(group);
    if (std::any_of(groups_.begin(), groups_.end(), [](const RunGroup& g) { return g.runs.size() > 1; })) {
      page_.section("Differences");
      for (const RunGroup& group : groups_)
        if (group.runs.size() > 1) differences(group);
    }
    page_.section("Training curves");
    curves();
    page_.section("Chosen configurations");
    for (const RunGroup& group : groups_) configurations(group);
    page_.section("Time and memory");
    times();
    page_.section("Commands and records");
    commands();
    return std::move(page_);
  }

 private:
  std::string make_title(const RunReportOptions& options) const {
    if (!options.title.empty()) return options.title;
    if (views_.runs.size() == 1)
      return fmt::format("{} on {}", views_.runs[0].name, views_.runs[0].record.dataset);
    if (views_.runs.empty())
      return views_.going.size() == 1
                 ? fmt::format("{} on {}", views_.going[0].name, views_.going[0].dataset)
                 : fmt::format("{} evaluations that are not finished", views_.going.size());
    std::vector<std::string> datasets;
    for (const RunGroup& group : groups_)
      if (std::find(datasets.begin(), datasets.end(), group.dataset) == datasets.end())
        datasets.push_back(group.dataset);
    return fmt::format("{} evaluations on {}", views_.runs.size(), join_names(datasets));
  }

  // The heading of a group, where there are several.
  void head(const RunGroup& group) {
    if (groups_.size() > 1) page_.subsection(group.title);
  }

  void answer() {
    if (!views_.going.empty()) {
      std::size_t done = 0, total = 0;
      for (const GoingRun& run : views_.going) {
        done += run.status.tasks.finished;
        total += run.status.tasks.total;
      }
      page_.answer(fmt::format("{} evaluation{} not finished: {} of {} tasks are done.", views_.going.size(),
                               views_.going.size() == 1 ? " is" : "s are", done, total));
    }
    if (groups_.empty()) return;
    if (groups_.size() <= kFewGroups) {
      for (const RunGroup& group : groups_)
        for (const Text& words : describe_answer(group)) page_.answer(words);
      return;
    }
    // A sentence per group as long as they can be read; then the first table has them.
    if (groups_.size() <= kSomeGroups)
      for (const RunGroup& group : groups_) page_.answer(describe_briefly(group).plain("."));
    else
      page_.answer(fmt::format("{} evaluations in {} groups.", views_.runs.size(), groups_.size()));
    page_.answer(
        std::any_of(groups_.begin(), groups_.end(), [](const RunGroup& g) { return g.runs.size() > 1; })
            ? "The first table shows how certain this is."
            : "No two of these evaluations can be compared fold by fold.");
  }

  void going() {
    page_.section("Going on");
    page_.table(progress_table(views_.going),
                {Text("Tasks of the runs that are not finished. What is left is divided by the tasks that run "
                      "at once."),
                 ""});
    page_.table(progress_folds_table(views_.going),
                {Text("Fold by fold, with the best validation score so far."), ""});
    for (const GoingRun& run : views_.going)
      for (const eval::RunStatus::Failure& failure : run.status.failures)
        page_.warning(
            Text().strong(run.name).plain(fmt::format(": {} failed: {}", failure.task, failure.reason)));
  }

  void overview() {
    page_.table(
        overview_table(groups_),
        {Text("The best run of each group that has several: mean ± standard deviation over the folds. 2σ: "
              "the difference is larger than two standard deviations of the fold-wise differences. p: "
              "corrected resampled t-test, not corrected for making many comparisons."),
         ""});
  }

  void tell_gaps() {
    for (const SkippedRun& run : views_.skipped)
      page_.warning(Text().strong(run.name).plain(" is left out: ").plain(run.reason).plain("."));
    for (const RunView& run : views_.runs) {
      if (run.gaps.empty()) continue;
      Text words = Text().strong(run.name).plain(": ");
      for (std::size_t i = 0; i < run.gaps.size() && i < 5; ++i) words.plain((i == 0 ? "" : " ") + run.gaps[i]);
      if (run.gaps.size() > 5) words.plain(fmt::format(" And {} more of the kind.", run.gaps.size() - 5));
      page_.warning(words);
    }
    tell_seals();
    if (groups_.size() > 1)
      page_.note(
          fmt::format("These evaluations differ in data, splits, metric, number of folds or in being sealed, "
                      "so they form {} "
                      "groups and are compared only within them.",
                      groups_.size()));
    for (const RunView& run : views_.runs) {
      const std::vector<std::string> ignored = ignored_data(run);
      if (!ignored.empty())
        page_.note(Text().strong(run.name).plain(" (" + run.record.model + ") does not see the " +
                                                 join_names(ignored) + " of " + run.record.dataset + "."));
    }
  }

  // What all runs of the page were learnt about.
  const char* items() const {
    std::vector<const RunView*> runs;
    for (const RunView& run : views_.runs) runs.push_back(&run);
    return common_items(runs);
  }

  // Which test scores are hidden, and how often someone has looked before at those that are not any more.
  void tell_seals() {
    std::vector<std::string> sealed;
    for (const RunView& run : views_.runs) {
      if (run.record.is_sealed) sealed.push_back(run.name);
      if (run.revealed)
        page_.note(Text().strong(run.name).plain(fmt::format(
            " was evaluated blind and revealed on {}; {} of the same data and splits had been revealed before.",
            run.revealed->time,
            run.revealed->before == 1 ? "1 run" : fmt::format("{} runs", run.revealed->before))));
    }
    if (!sealed.empty())
      page_.note(Text("Test scores of ")
                     .strong(join_names(sealed))
                     .plain(fmt::format(" are {}. All scores here are of training and validation {}.",
                                        record::kSealedWords, items())));
  }

  // The value of every metric, and which classes were taken for which.
  void metrics_and_classes() {
    bool is_headed = false;
    const auto open_section = [&] {
      if (!std::exchange(is_headed, true)) page_.section("All metrics and classes");
    };
    for (const RunGroup& group : groups_) {
      Table table = metrics_table(group);
      if (table.columns().size() < 2) continue;
      open_section();
      head(group);
      page_.table(table, {Text(fmt::format("Every metric on {} {}: mean ± standard deviation over the folds{}.",
                                           group.part(), group.items(), kMetricUnits)),
                          ""});
    }
    std::size_t several = 0;
    for (const RunView& run : views_.runs) {
      if (run.targets.empty()) continue;
      open_section();
      ++several;
      page_.table(
          targets_table(run, several == 1 ? "targets" : fmt::format("targets-{}", several)),
          {Text().strong(run.name).plain(fmt::format(
               ": each target on test graphs, mean ± standard deviation over the folds{}.", kMetricUnits)),
           ""});
    }
    for (const RunView& run : views_.runs) {
      if (!run.confusion) continue;
      open_section();
      confusion(run);
    }
  }

  // How well intervals and probabilities keep what they say.
  void sureness() {
    bool is_headed = false;
    std::size_t coverages = 0, reliabilities = 0;
    const auto open_section = [&] {
      if (!std::exchange(is_headed, true)) page_.section("Sure or not");
    };
    const auto name_of = [](const char* word, std::size_t count) {
      return count == 0 ? std::string(word) : fmt::format("{}-{}", word, count + 1);
    };
    for (const RunView& run : views_.runs) {
      if (!run.coverage.empty()) {
        open_section();
        page_.table(coverage_table(run, name_of("coverage", coverages++)),
                    {Text().strong(run.name).plain(coverage_caption(run)), ""});
      }
      if (run.reliability.empty()) continue;
      open_section();
      page_.table(reliability_table(run, name_of("reliability", reliabilities++)),
                  {Text().strong(run.name).plain(reliability_caption(run)), ""});
    }
  }

  void confusion(const RunView& run) {
    const RunConfusion& all = *run.confusion;
    if (all.classes.size() > kMostClasses) {
      page_.paragraph(fmt::format("{} has {} classes: which were taken for which stands in its result.json.",
                                  run.name, all.classes.size()));
      return;
    }
    const std::string name =
        num_confusions_ == 0 ? "confusion" : fmt::format("confusion-{}", num_confusions_ + 1);
    ++num_confusions_;
    page_.table(confusion_table(run, name),
                {Text().strong(run.name).plain(
                     fmt::format(": test {} of each class by what was said of them, summed over the folds{}.",
                                 run.items(), run.repeats > 1 ? ", the mean of the runs" : "")),
                 ""});
  }

  // What the dataset has and the learner passes over, as the record tells it.
  static std::vector<std::string> ignored_data(const RunView& run) {
    std::vector<std::string> names;
    const Json& result = run.record.result;
    if (!result.is_object() || !result.contains("ignores") || !result.at("ignores").is_array()) return names;
    for (const Json& name : result.at("ignores"))
      if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
  }

  void results(const RunGroup& group) {
    head(group);
    const int decimals = group.decimals();
    const bool several = group.runs.size() > 1;
    bool any_ceiling = false, any_train = false, any_repeats = false;
    for (const RunView* run : group.runs) {
      any_ceiling = any_ceiling || !std::isnan(ceiling(*run));
      any_train = any_train || !std::isnan(run->record.train_mean);
      any_repeats = any_repeats || run->repeats > 0;
    }
    // What the answer hangs on comes first: on a phone the rest is out of sight.
    std::vector<Column> columns = {
        text_column("run", "run"),
        mean_std_column(group.part(), group.part() + (" " + group.metric_name()) + group.unit(), decimals)};
    if (several) {
      Column column = mean_std_column("against_best", "minus the best", decimals);
      column.with_sign = true;
      columns.push_back(column);
      columns.push_back(p_column("p", "p"));
    }
    if (any_train) columns.push_back(mean_std_column("train", "train", decimals));
    if (any_ceiling) columns.push_back(number_column("ceiling", "at most", decimals));
    if (any_repeats) columns.push_back(number_column("repeats", "runs per fold", 0));
    columns.push_back(number_column("configurations", "tried", 0));
    columns.insert(columns.end(), {text_column("model", "model"), text_column("preset", "preset")});
    Table table("results" + group.key, columns);
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
      const RunView& run = *group.runs[i];
      const record::RunRecord& record = run.record;
      std::vector<Cell> row = {text_cell(run.name), mean_std_cell(record.score_mean(), record.score_std())};
      if (several && i == 0) {
        row.insert(row.end(), {empty_cell(), empty_cell()});
      } else if (several) {
        const eval::Delta& delta = group.deltas[i][0];
        row.push_back(
            mean_std_cell(delta.mean, delta.std).with(delta.verdict < 0 ? Tone::kWorse : Tone::kNone));
        row.push_back(number_cell(delta.p));
      }
      if (any_train) row.push_back(mean_std_cell(record.train_mean, record.train_std));
      if (any_ceiling) row.push_back(number_cell(ceiling(run)));
      if (any_repeats)
        row.push_back(run.repeats > 0 ? number_cell(static_cast<double>(run.repeats)) : empty_cell());
      row.push_back(run.num_configs > 0 ? number_cell(static_cast<double>(run.num_configs)) : empty_cell());
      row.insert(row.end(), {text_cell(record.model), text_cell(record.preset)});
      table.add_row(std::move(row));
    }
    page_.table(table, {results_caption(group, several, any_ceiling), ""});
    for (const RunView* run : group.runs) warn_of_failed_trainings(*run);
  }

  void warn_of_failed_trainings(const RunView& run) {
    const Json& result = run.record.result;
    if (!result.is_object() || !result.contains("did_not_learn") ||
        !result.at("did_not_learn").is_number_unsigned())
      return;
    page_.warning(Text().strong(run.name).plain(
        fmt::format(": {} of {} final runs did not learn: in no epoch was the training loss 1 % below that of "
                    "always the same "
                    "answer.",
                    result.at("did_not_learn").get<std::size_t>(), run.record.folds.size() * run.repeats)));
  }

  // Columns are explained where they come first.
  Text results_caption(const RunGroup& group, bool several, bool any_ceiling) {
    Text words = fmt::format("{} on {}: mean ± standard deviation over {} fold{}",
                             group.is_accuracy() ? "Accuracy" : "Scores", group.dataset, group.num_folds,
                             plural(group.num_folds));
    const record::RunFold& fold = group.runs[0]->record.folds[0];
    const std::size_t graphs = group.is_sealed() ? fold.num_validation : fold.num_test;
    if (group.is_accuracy() && graphs > 0)
      words.plain(fmt::format(" of about {} {} {} (one {} is {} points)", graphs, group.part(), group.items(),
                              std::string(group.items(), std::strlen(group.items()) - 1),
                              format_figure(100.0 / static_cast<double>(graphs), 1)));
    words.plain(".");
    if (several && !std::exchange(told_differences_, true))
      words.plain(
          " Minus the best: fold by fold; red where that is worse by more than two standard deviations. p: "
          "corrected resampled t-test, two-sided, not corrected for making many comparisons.");
    if (any_ceiling && !std::exchange(told_ceiling_, true))
      words.plain(fmt::format(
          " At most: {} that the learner cannot tell apart limit it to this on these folds.", group.items()));
    if (!std::exchange(told_tried_, true))
      words.plain(" Tried: configurations to choose from in each fold, on validation " + std::string(items()) +
                  ".");
    if (const std::string refit = describe_refit(group); !refit.empty()) words.plain(" " + refit + ".");
    return words;
  }

  static double ceiling(const RunView& run) {
    const Json& result = run.record.result;
    const auto twins = result.find("twins");
    if (twins == result.end() || !twins->is_object() || !twins->contains("test_ceiling") ||
        !twins->at("test_ceiling").is_number() || twins->at("test_ceiling").get<double>() >= 100)
      return std::nan("");
    return twins->at("test_ceiling").get<double>();
  }

  void folds(const RunGroup& group) {
    head(group);
    page_.plot(
        plot_folds(group),
        {Text("Pale: one fold each, in every row at the same height. Bold: mean and standard deviation."), ""});
    page_.table(folds_table(group),
                {Text(fmt::format("{} {} of each fold, the mean of its runs.",
                                  group.is_sealed() ? "Validation" : "Test", group.metric_name())),
                 ""});
  }

  void differences(const RunGroup& group) {
    head(group);
    std::vector<std::string> names;
    for (const RunView* run : group.runs) names.push_back(run->name);
    page_.table(
        delta_matrix("deltas" + group.key, names, group.deltas, group.decimals()),
        {Text(
             fmt::format("{} {} of the row minus that of the column, fold by fold: mean ± standard deviation. ",
                         group.is_sealed() ? "Validation" : "Test", group.metric_name()))
             .add(two_sigma_meaning(group.num_folds)),
         ""});
  }

  void curves() {
    std::vector<Plot> plots;
    std::vector<Caption> captions;
    std::vector<std::string> without;
    for (const RunGroup& group : groups_) {
      for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunView& run = *group.runs[i];
        if (run.curves.empty()) without.push_back(run.name);
        Plot plot = plot_losses(run, static_cast<int>(i));
        if (plot.series.empty()) continue;
        plots.push_back(std::move(plot));
        captions.push_back({Text().strong(run.name).plain(fmt::format(
                                "{}: {} training{}.", groups_.size() > 1 ? " on " + group.dataset : "",
                                run.curves.size(), plural(run.curves.size()))),
                            ""});
      }
      const Plot together = plot_validation(group);
      if (together.series.empty()) continue;
      head(group);
      page_.plot(together, {Text("Mean over the final trainings of a learner, folds × runs. A line ends where "
                                 "fewer than half of them go on."),
                            ""});
    }
    if (!plots.empty()) {
      page_.paragraph(
          "Loss by epoch: medians over the final trainings; the band holds the middle half of the validation "
          "losses.");
      page_.plots(plots, captions);
    }
    if (!without.empty())
      page_.paragraph("No curve: " + join_names(without) + (without.size() == 1 ? " has" : " have") +
                      " no epochs, or the record does not tell them.");
  }

  void configurations(const RunGroup& group) {
    head(group);
    page_.table(
        configurations_table(group),
        {Text(fmt::format(
             "What was chosen on validation {}, in how many folds, with which mean validation score of the "
             "final runs; always: the options with one value in the whole grid.",
             items())),
         ""});
  }

  void times() {
    page_.table(times_table(groups_),
                {Text("As measured when the tasks ran, selection included; tasks may have run side by "
                      "side, so the clock "
                      "may have shown less. Peak memory is that of the largest process."),
                 ""});
  }

  void commands() {
    page_.paragraph("This page:");
    page_.commands({command_});
    page_.paragraph(
        "What gives these evaluations again, in new folders, as their records tell it; paths are as they were "
        "given:");
    std::vector<std::string> lines;
    for (const RunView& run : views_.runs) lines.push_back(evaluate_command(run));
    page_.commands(lines);
    page_.table(records_table(views_.runs),
                {Text("Who made the runs, from what; checksums are cut to twelve letters."), ""});
  }

  const RunViews& views_;
  std::vector<RunGroup> groups_;
  std::string command_;
  Page page_;
  std::size_t num_confusions_ = 0;
  bool told_differences_ = false;
  bool told_ceiling_ = false;
  bool told_tried_ = false;
};

}  // namespace

Page make_run_report(const RunViews& views, const RunReportOptions& options) {
  TWOFOLD_CHECK(!views.runs.empty() || !views.going.empty());
  return RunReport(views, options).make();
}

}  // namespace twofold::report
