#include "cli/reproduce_runs.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/command_evaluate.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/model/model_table.h"

namespace twofold::cli {
namespace {

namespace fs = std::filesystem;
using paper::Figure;
using paper::Learner;
using paper::RunPlan;

bool names_dataset(const std::string& word, const FoundDataset& found) {
  return word == found.dataset().name || word == found.dataset().folder;
}

bool names_learner(const std::string& word, const Learner& learner) {
  return word == learner.key || word == learner.model;
}

bool names(const std::string& word, const FoundDataset& found, const Learner& learner) {
  const auto slash = word.find('/');
  if (slash == std::string::npos) return names_dataset(word, found) || names_learner(word, learner);
  return names_learner(word.substr(0, slash), learner) && names_dataset(word.substr(slash + 1), found);
}

bool is_wanted(const ReproduceOptions& options, const FoundDataset& found, const Learner& learner) {
  return options.only.empty() ||
         std::any_of(options.only.begin(), options.only.end(),
                     [&](const std::string& word) { return names(word, found, learner); });
}

void require_known(const RunRequest& request, const ReproduceOptions& options) {
  for (const std::string& word : options.only) {
    bool is_known = false;
    std::vector<std::string> learners, datasets;
    for (std::size_t i = 0; i < request.datasets.size(); ++i) {
      datasets.push_back(request.datasets[i].dataset().folder);
      for (const Learner& learner : request.learners[i]) {
        is_known = is_known || names(word, request.datasets[i], learner);
        if (std::find(learners.begin(), learners.end(), learner.key) == learners.end())
          learners.push_back(learner.key);
      }
    }
    if (!is_known)
      throw UsageError(fmt::format("--only: needed LEARNER, DATASET or LEARNER/DATASET of {} and {}, found {}",
                                   fmt::join(learners, ", "), fmt::join(datasets, ", "), in_quotes(word)));
  }
}

RunOutcome plan_run(const FoundDataset& found, const Learner& learner, const ReproduceOptions& options) {
  RunOutcome run;
  run.plan = options.quick ? paper::quick_run(found.number, learner) : paper::full_run(found.number, learner);
  run.dataset = found;
  run.folder = (fs::path(options.output) / (options.quick ? "runs-quick" : "runs") / found.dataset().folder /
                learner.key)
                   .string();
  return run;
}

void read_if_finished(RunOutcome& run) {
  if (fs::exists(run.folder + "/result.json")) run.record = record::read_run(run.folder);
}

// Those that --only and --quick leave; the others are told why they are missing.
std::vector<RunOutcome*> wanted_runs(std::vector<RunOutcome>& runs, const ReproduceOptions& options) {
  std::vector<RunOutcome*> wanted;
  for (RunOutcome& run : runs) {
    if (run.dataset.is_missing() || !is_wanted(options, run.dataset, run.plan.learner)) continue;
    if (!run.plan.left_out.empty() && options.only.empty()) {
      if (!run.record) run.missing = "not in --quick";
      run.reason = run.plan.left_out;
      continue;
    }
    wanted.push_back(&run);
  }
  return wanted;
}

// Both searches have the same winners, so a run goes on by the one that it was begun with.
std::string search_of(const RunOutcome& run, const ReproduceOptions& options) {
  const std::string file = run.folder + "/run.json";
  if (options.quick || !model::find_model(run.plan.learner.model).is_network) return "grid";
  if (!fs::exists(file)) return options.search;
  const record::Json begun = record::read_record(file);
  const record::JsonView search = record::JsonView(begun, file).at("search");
  return search.is_there() ? search.text() : "grid";
}

EvaluateOptions evaluate_options(const RunOutcome& run, const RunRequest& request,
                                 const ReproduceOptions& options) {
  EvaluateOptions how;
  how.caller = "twofold reproduce " + request.name;
  how.dataset = run.dataset.path;
  how.model = run.plan.learner.model;
  how.preset = run.plan.preset;
  how.search = search_of(run, options);
  how.splits = run.dataset.splits;
  how.folds = run.plan.folds;
  how.repeats = run.plan.repeats;
  how.seed = run.plan.learner.seed != 0 ? run.plan.learner.seed : options.seed;
  how.output = run.folder;
  how.model_options = run.plan.options;
  how.jobs = options.jobs;
  how.threads = options.threads;
  how.max_memory = options.max_memory;
  how.quiet = options.quiet;
  how.no_twins = options.quick;
  return how;
}

// What the first failed training said.
std::string first_failure(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/failed", ignored))
    names.push_back(entry.path().string());
  if (names.empty()) return "the evaluation did not finish";
  std::sort(names.begin(), names.end());
  const record::Json failure = record::read_record(names[0]);
  return record::JsonView(failure, names[0]).at("reason").text();
}

void make_run(RunOutcome& run, const std::vector<model::LearnerFactory>& learners, const EvaluateOptions& how,
              std::ostream& err) {
  fs::create_directories(fs::path(run.folder).parent_path());
  try {
    std::ostringstream unread;
    if (evaluate_with(learners, how, unread, err) != 0) {
      run.missing = "failed";
      run.reason = first_failure(run.folder);
    }
  } catch (const UsageError&) {
    throw;
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    run.missing = "failed";
    run.reason = error.what();
  }
}

struct PlannedRun {
  const RunOutcome* run = nullptr;
  model::Config plan;   // as evaluate --plan --json prints it
  std::string missing;  // why there is none: `finished`, or what went wrong
};

std::vector<PlannedRun> measure_runs(const std::vector<RunOutcome*>& wanted, const RunRequest& request,
                                     const std::vector<model::LearnerFactory>& learners,
                                     const ReproduceOptions& options, std::ostream& err) {
  // Of a kernel every configuration is measured by a whole fit, which may take minutes.
  constexpr double kMostSeconds = 20;
  ProgressOptions shown;
  shown.label = "measuring";
  shown.unit = "evaluations";
  shown.quiet = options.quiet;
  ProgressLine line(err, shown);
  const Progress progress = line.progress();
  std::vector<PlannedRun> planned;
  for (const RunOutcome* run : wanted) {
    if (progress) progress(planned.size(), wanted.size());
    planned.push_back({run, nullptr, run->record ? "finished" : ""});
    if (run->record) continue;
    EvaluateOptions how = evaluate_options(*run, request, options);
    how.plan = how.json = how.quiet = true;
    if (!model::find_model(how.model).is_network) how.most_plan_seconds = kMostSeconds;
    try {
      std::ostringstream text;
      evaluate_with(learners, how, text, err);
      planned.back().plan = model::Config::parse(text.str());
    } catch (const UsageError&) {
      throw;
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      planned.back().missing = error.what();
    }
  }
  return planned;
}

std::optional<Figure> figure(const std::optional<record::RunRecord>& record, double record::RunRecord::*mean,
                             double record::RunRecord::*std) {
  if (!record) return std::nullopt;
  return Figure{(*record).*mean, (*record).*std};
}

}  // namespace

std::optional<Figure> RunOutcome::test() const {
  return figure(record, &record::RunRecord::test_mean, &record::RunRecord::test_std);
}

std::optional<Figure> RunOutcome::train() const {
  return figure(record, &record::RunRecord::train_mean, &record::RunRecord::train_std);
}

std::vector<RunOutcome> read_runs(const RunRequest& request, const ReproduceOptions& options) {
  std::vector<RunOutcome> runs;
  for (std::size_t i = 0; i < request.datasets.size(); ++i)
    for (const Learner& learner : request.learners[i]) {
      runs.push_back(plan_run(request.datasets[i], learner, options));
      read_if_finished(runs.back());
      if (!runs.back().record) runs.back().missing = request.datasets[i].is_missing() ? "no data" : "not run";
    }
  return runs;
}

std::vector<RunOutcome> make_runs(const RunRequest& request, const std::vector<model::LearnerFactory>& learners,
                                  const ReproduceOptions& options, std::ostream& err) {
  require_known(request, options);
  std::vector<RunOutcome> runs = read_runs(request, options);
  const std::vector<RunOutcome*> wanted = wanted_runs(runs, options);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    RunOutcome& run = *wanted[i];
    EvaluateOptions how = evaluate_options(run, request, options);
    how.label = fmt::format("{} of {}: {} on {}", i + 1, wanted.size(), run.plan.learner.name,
                            run.dataset.dataset().name);
    run.record.reset();
    run.missing.clear();
    make_run(run, learners, how, err);
    read_if_finished(run);
  }
  return runs;
}

bool plan_runs(const RunRequest& request, const std::vector<model::LearnerFactory>& learners,
               const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  if (!options.plan) return false;
  require_known(request, options);
  std::vector<RunOutcome> runs = read_runs(request, options);
  Table table({"<dataset", "<learner", "configurations", "trainings", "CPU time at most"});
  model::Config plans = model::Config::array();
  double hours = 0;
  for (const PlannedRun& planned : measure_runs(wanted_runs(runs, options), request, learners, options, err)) {
    const RunOutcome& run = *planned.run;
    std::vector<std::string> row = {run.dataset.dataset().name, run.plan.learner.name, "", "", planned.missing};
    if (planned.missing.empty()) {
      const model::Config &plan = planned.plan, &tasks = plan.at("tasks");
      hours += plan.at("cpu_hours").get<double>();
      row[2] = plan.at("configurations").dump();
      row[3] = std::to_string(tasks.at("selection").get<std::size_t>() + tasks.at("final").get<std::size_t>());
      row[4] = format_duration(3600 * plan.at("cpu_hours").get<double>());
      plans.push_back(plan);
      plans.back()["learner"] = run.plan.learner.key;
    }
    table.add_row(std::move(row));
  }
  if (options.json) {
    const model::Config all = {{"plans", std::move(plans)}, {"cpu_hours", hours}};
    out << all.dump(-1, ' ', false, model::Config::error_handler_t::replace) << '\n';
    return true;
  }
  table.print(out);
  fmt::print(out, "\nin all {} of CPU time at most, {} on {} job{}: every training to its last epoch\n",
             format_duration(hours * 3600), format_duration(hours * 3600 / options.jobs), options.jobs,
             options.jobs == 1 ? "" : "s");
  return true;
}

int exit_code(const std::vector<RunOutcome>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const RunOutcome& run) { return run.missing == "failed"; })
             ? 1
             : 0;
}

void describe_runs(report::Page& page, const std::vector<RunOutcome>& runs, const ReproduceOptions& options) {
  using report::Text;
  if (options.quick) {
    page.warning(Text("Quick run: ")
                     .plain("few folds, few epochs, one fixed configuration and one run of it, so expect other "
                            "figures than the "
                            "paper's. Without ")
                     .code("--quick")
                     .plain(" the paper's grid, ten folds and three runs of each winner are taken."));
    // A line per dataset, as the 2-WL-GNN has it; the 2-GNN has the same folds, but may have fewer epochs.
    std::vector<std::string> lines;
    std::size_t dataset = paper::kNumDatasets;
    std::string short_one;  // the epochs of its 2-GNN, which comes first
    for (const RunOutcome& run : runs) {
      if (run.plan.dataset != dataset) dataset = run.plan.dataset, short_one.clear();
      if (!run.record) continue;
      if (run.plan.learner.model == "2-gnn") short_one = run.plan.option("epochs");
      if (run.plan.learner.model != "2-wl-gnn" || run.plan.learner.is_ours) continue;
      std::string line = run.dataset.dataset().name + ": " + paper::describe_quick(run.plan);
      if (!short_one.empty() && short_one != run.plan.option("epochs"))
        line += fmt::format("; {} epochs for the 2-GNN", short_one);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    if (!lines.empty()) page.list({lines.begin(), lines.end()});
  }
  std::vector<std::string> paper_folds, own_folds;
  bool built_in = false;
  for (const RunOutcome& run : runs) {
    if (!run.record) continue;
    std::vector<std::string>& list = run.dataset.splits.empty() ? own_folds : paper_folds;
    if (list.empty() || list.back() != run.dataset.dataset().name) list.push_back(run.dataset.dataset().name);
    built_in = built_in || run.dataset.is_built_in;
  }
  if (built_in)
    page.note("TRIANGLE is the built-in one: 228 graphs drawn as the paper's were, but not the same ones.");
  if (!paper_folds.empty())
    page.paragraph(fmt::format("On the paper's own folds: {}.", fmt::join(paper_folds, ", ")));
  if (!own_folds.empty())
    page.paragraph(
        fmt::format("On folds drawn from the seed {}: {}.", options.seed, fmt::join(own_folds, ", ")));
  for (const RunOutcome& run : runs)
    if (run.missing == "failed")
      page.warning(
          fmt::format("{} on {} failed: {}", run.plan.learner.name, run.dataset.dataset().name, run.reason));
}

}  // namespace twofold::cli
