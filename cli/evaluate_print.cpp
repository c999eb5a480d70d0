#include "cli/evaluate_print.h"

#include <fmt/ostream.h>

#include <cmath>

#include "cli/predictions.h"
#include "cli/table.h"
#include "twofold/eval/task_file.h"

namespace twofold::cli {
namespace {

using model::Config;

std::string plain(const Config& value) {
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

void print_twins(const Config& twins, const std::string& what, std::ostream& out) {
  const auto count = [&](const char* name) { return twins.at(name).get<std::size_t>(); };
  const std::string seen_by = twins.at("seen_by").get<std::string>();
  if (count("sharing") == 0) {
    fmt::print(out, "\nall {} {} look different to {}\n", count("graphs"), what, seen_by);
    return;
  }
  fmt::print(out,
             "\n{} of {} {} look different to {}:\n{} look like another, {} like one with another target\n",
             count("classes"), count("graphs"), what, seen_by, count("sharing"), count("mixed"));
  const std::string one = what.substr(0, what.size() - 1);
  fmt::print(out, "of {} tested {} {} look like a training {}, {} like one with another target\n",
             count("test_graphs"), what, count("test_with_train_twin"), one, count("test_with_other_label"));
  if (twins.contains("test_ceiling") && twins.at("test_ceiling").get<double>() < 100)
    fmt::print(out, "{} this learner cannot tell apart limit it to {} % on these folds\n", what,
               format_score("accuracy", twins.at("test_ceiling").get<double>()));
}

// The metrics that selection did not go by, where the record has a number for them.
void print_other_metrics(const Config& result, const std::string& chosen, std::ostream& out) {
  std::string text;
  for (const auto& item : result.at("metrics").items()) {
    const double mean = eval::number(item.value().at("test_mean"));
    if (item.key() == chosen || std::isnan(mean)) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", item.key(),
                        format_mean_std(item.key(), mean, eval::number(item.value().at("test_std"))),
                        model::is_in_percent(item.key()) ? " %" : "");
  }
  if (!text.empty()) fmt::print(out, "test {}\n", text);
}

// Of several targets each, with every metric.
void print_targets(const Config& targets, std::ostream& out) {
  std::vector<std::string> headers = {"<target"};
  std::vector<std::string> metrics;
  for (const auto& item : targets.at(0).items()) {
    if (item.key() == "name") continue;
    metrics.push_back(item.key());
    headers.push_back("test " + item.key());
  }
  Table table(headers);
  for (const Config& target : targets) {
    std::vector<std::string> row = {plain_word(target.at("name").get<std::string>())};
    for (const std::string& metric : metrics)
      row.push_back(format_mean_std(metric, eval::number(target.at(metric).at("test_mean")),
                                    eval::number(target.at(metric).at("test_std"))));
    table.add_row(std::move(row));
  }
  fmt::print(out, "\n");
  table.print(out);
  fmt::print(out, "\n");
}

// How well intervals and probabilities keep what they say.
void print_sureness(const Config& result, std::ostream& out) {
  if (result.contains("coverage")) {
    const bool has_classes = result.contains("confusion");
    std::string others;
    for (const Config& one : result.at("coverage")) {
      const double level = one.at("level").get<double>(), found = eval::number(one.at("found_mean"));
      if (std::isnan(found)) continue;
      if (level != 90) {
        others += fmt::format("{}{:g} %: {:.1f}", others.empty() ? "" : ", ", level, found);
        continue;
      }
      const double size = eval::number(one.at("size_mean"));
      fmt::print(out, "{} of 90 % hold for {:.1f} ± {:.1f} % of the test graphs, {}",
                 has_classes ? "sets of classes" : "intervals", found, eval::number(one.at("found_std")),
                 std::isnan(size) ? "some without bounds: too few validation graphs"
                                  : fmt::format(has_classes ? "mean size {:.2f}" : "mean width {:.4g}", size));
    }
    if (!others.empty()) fmt::print(out, " ({})\n", others);
  }
  if (result.contains("reliability"))
    fmt::print(out, "calibrated probabilities are off by {:.1f} % on average, plain ones by {:.1f} %\n",
               eval::number(result.at("reliability").at("error")),
               eval::number(result.at("reliability").at("error_before")));
}

// How the configurations were searched, behind their number.
std::string describe_search(const eval::Plan& plan, const Config& result) {
  if (plan.grid.size() == 1) return "";
  switch (plan.search) {
    case eval::Search::kGrid:
      return "";
    case eval::Search::kHalving:
      return " by halving";
    case eval::Search::kUntilPerfect: {
      const std::size_t all = plan.splits.size() * plan.grid.size();
      std::size_t spared = 0;
      for (const Config& fold : result.at("folds")) spared += fold.value("spared", std::size_t{0});
      return fmt::format(" until one is perfect ({} of {} trained)", all - spared, all);
    }
  }
  return "";
}

}  // namespace

std::string format_score(const std::string& metric, double score) {
  if (std::isnan(score)) return "-";
  return model::is_in_percent(metric) ? fmt::format("{:.1f}", score) : fmt::format("{:.4g}", score);
}

std::string format_mean_std(const std::string& metric, double mean, double std) {
  return format_score(metric, mean) + " ± " + format_score(metric, std);
}

std::string describe_config(const eval::Grid& grid, const Config& config) {
  std::string text;
  for (const auto& item : config.items()) {
    bool differs = false;
    for (const Config& other : grid) differs = differs || other.at(item.key()) != item.value();
    if (differs) text += fmt::format("{}{}={}", text.empty() ? "" : " ", item.key(), plain(item.value()));
  }
  return text;
}

void print_evaluation(const eval::Plan& plan, const Config& result, std::ostream& out) {
  const std::string metric = result.at("metric").get<std::string>();
  const std::size_t folds = plan.splits.size(), configs = plan.grid.size();
  fmt::print(out, "{} on {}, preset {}: {} fold{}, {} configuration{}{}{}, {} run{} of each winner{}\n\n",
             plan.model, plan.dataset, plan.preset, folds, plural(folds), configs, plural(configs),
             describe_search(plan, result),
             plan.inner_folds > 1 ? fmt::format(" in {} inner folds", plan.inner_folds) : "", plan.repeats,
             plural(static_cast<std::size_t>(plan.repeats)),
             plan.refit ? fmt::format(" on training and validation {}", model::to_string(plan.about)) : "");
  const bool is_sealed = result.contains("sealed");
  std::vector<std::string> headers = {"fold", "train", "validation"};
  if (!is_sealed) headers.emplace_back("test");
  if (configs > 1) headers.emplace_back("<chosen");
  Table table(headers);
  std::size_t f = 0;
  for (const Config& fold : result.at("folds")) {
    std::vector<std::string> row = {std::to_string(++f), format_score(metric, eval::number(fold.at("train"))),
                                    format_score(metric, eval::number(fold.at("validation")))};
    if (!is_sealed) row.push_back(format_score(metric, eval::number(fold.at("test"))));
    if (configs > 1) row.push_back(describe_config(plan.grid, fold.at("config")));
    table.add_row(std::move(row));
  }
  table.print(out);
  const auto line = [&](const char* name) {
    return format_mean_std(metric, eval::number(result.at(std::string(name) + "_mean")),
                           eval::number(result.at(std::string(name) + "_std")));
  };
  const char* shown = is_sealed ? "validation" : "test";
  fmt::print(out, "\n{} {} {}{}, train {} (mean ± standard deviation of the folds)\n", shown, metric,
             line(shown), model::is_in_percent(metric) ? " %" : "", line("train"));
  if (result.contains("did_not_learn")) {
    const auto failed = result.at("did_not_learn").get<std::size_t>();
    const std::size_t all = folds * static_cast<std::size_t>(plan.repeats);
    fmt::print(
        out,
        "{} of {} final run{} did not learn: no training loss was 1 % below that of always the same answer\n",
        failed, all, plural(all));
  }
  if (is_sealed)
    fmt::print(out, "test scores are {}\n", record::kSealedWords);
  else if (result.contains("metrics"))
    print_other_metrics(result, metric, out);
  if (!is_sealed && result.contains("targets")) print_targets(result.at("targets"), out);
  if (!is_sealed) print_sureness(result, out);
  if (result.contains("twins")) print_twins(result.at("twins"), model::to_string(plan.about), out);
}

void print_plan_heading(const eval::Plan& plan, std::ostream& out) {
  const std::size_t tasks = eval::list_tasks(plan).size();
  const bool is_of_graphs = plan.about == TargetOf::kGraphs;
  fmt::print(out, "{} on {} ({} {}), preset {}, metric {}: {} task{}\n", plan.model, plan.dataset,
             is_of_graphs ? plan.num_graphs : plan.num_items, model::to_string(plan.about), plan.preset,
             metric_name(plan.metric), tasks, plural(tasks));
  fmt::print(out, "{} folds, {} run{} of each winner, seed {}\n", plan.splits.size(), plan.repeats,
             plural(static_cast<std::size_t>(plan.repeats)), plan.seed);
  if (plan.refit)
    fmt::print(out, "final runs learn from training and validation {} together\n",
               model::to_string(plan.about));
  if (plan.inner_folds > 1)
    fmt::print(out, "configurations are scored by cross-validation in {} parts of these\n", plan.inner_folds);
  const std::vector<eval::Rung> rungs = eval::rungs_of(plan);
  if (plan.search == eval::Search::kHalving && rungs.size() > 1) {
    std::string text;
    for (const eval::Rung& rung : rungs)
      text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", rung.configs,
                          rung.share == 1 ? "all of their epochs" : fmt::format("1/{}", rung.share));
    fmt::print(out, "halving in every fold: {}\n", text);
  }
  if (plan.search == eval::Search::kUntilPerfect && !rungs.empty())
    fmt::print(out, "configurations of a fold one after the other, until one is perfect on its validation {}\n",
               model::to_string(plan.about));
}

void print_plan(const eval::Plan& plan, std::ostream& out) {
  print_plan_heading(plan, out);
  std::string fixed;
  for (const auto& item : plan.grid[0].items()) {
    bool differs = false;
    for (const Config& other : plan.grid) differs = differs || other.at(item.key()) != item.value();
    if (!differs) fixed += fmt::format(" {}={}", item.key(), plain(item.value()));
  }
  fmt::print(out, "all configurations:{}\n", fixed.empty() ? " nothing in common" : fixed);
  if (plan.grid.size() > 1)
    for (std::size_t c = 0; c < plan.grid.size(); ++c)
      fmt::print(out, "{:3}: {}\n", c, describe_config(plan.grid, plan.grid[c]));
}

}  // namespace twofold::cli
