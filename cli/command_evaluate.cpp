#include "cli/command_evaluate.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/command.h"
#include "cli/dataset_input.h"
#include "cli/evaluate_plan.h"
#include "cli/evaluate_print.h"
#include "cli/evaluate_request.h"
#include "cli/evaluate_view.h"
#include "cli/evaluate_worker.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "cli/split_choice.h"
#include "cli/version.h"
#include "twofold/base/clock.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/base/parallel.h"
#include "twofold/base/simd.h"
#include "twofold/eval/evaluation.h"
#include "twofold/eval/forecast.h"
#include "twofold/eval/link_data.h"
#include "twofold/eval/ranks.h"
#include "twofold/eval/result.h"
#include "twofold/eval/seal.h"
#include "twofold/eval/status.h"
#include "twofold/eval/work.h"
#include "twofold/eval/workers.h"
#include "twofold/graph/checksum.h"
#include "twofold/io/dataset_file.h"
#include "twofold/model/seen_data.h"
#include "twofold/train/learners.h"

namespace twofold::cli {
namespace {

using eval::Plan;
using eval::RunFolder;
using model::Config;
using model::LearnerFactory;

const LearnerFactory& find_learner(const std::vector<LearnerFactory>& learners, const std::string& model) {
  for (const LearnerFactory& learner : learners)
    if (learner.model == model) return learner;
  throw Error(fmt::format("this build of twofold cannot learn with {}", model));
}

io::MoleculeOptions molecules_of(const EvaluateOptions& options) {
  io::MoleculeOptions molecules = options.molecules;
  molecules.targets = options.target.targets;
  molecules.skip_unlabeled = true;
  return molecules;
}

eval::Shard shard_of(const EvaluateOptions& options) {
  return options.shard.empty() ? eval::Shard{} : eval::parse_shard(options.shard);
}

Plan read_plan(const RunFolder& folder) { return eval::read_plan(folder, version_number()); }

void require_same(const Plan& there, const Plan& now, const std::string& path) {
  const std::string difference = eval::describe_difference(there, now);
  if (!difference.empty())
    throw UsageError(
        fmt::format("{} holds another evaluation:\n{}\ngive another folder, or the same options as there{}",
                    path, difference,
                    difference.find("  simd: ") == std::string::npos
                        ? ""
                        : fmt::format("; TWOFOLD_SIMD={} takes its vector instructions", there.simd)));
}

void start_run(RunFolder& folder, Plan& plan, const eval::Shard& shard, const std::string& caller,
               std::ostream& err) {
  if (folder.has("run.json")) {
    const Plan there = read_plan(folder);
    require_same(there, plan, folder.path());
    if (there.commit != plan.commit)
      fmt::print(err, "{}: {} was started by commit {}, this is {}\n", caller, folder.path(),
                 in_quotes(there.commit), plan.commit);
    if (const std::string other = eval::describe_libraries(there, plan); !other.empty())
      fmt::print(err, "{}: {} was started with {}\n", caller, folder.path(), other);
    plan.format = there.format;
  } else {
    folder.write_text("splits.json", eval::format_splits(plan.splits));
    folder.write("run.json", eval::to_json(plan), 1);
  }
  if (plan.blind) eval::make_seal(folder);
  if (shard.count == 1) {
    folder.remove_leftovers();
    folder.remove("failed");
    folder.create();
    return;
  }
  const std::vector<eval::TaskId> tasks = eval::list_tasks(plan);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (eval::owns(shard, plan, tasks, i)) folder.remove("failed/" + task_name(tasks[i]) + ".json");
}

// Ranks other than the first start when it has prepared the folder.
void wait_for_leader(const RunFolder& folder, const std::string& session) {
  constexpr int kMostSeconds = 600;
  for (int i = 0; i < 20 * kMostSeconds; ++i) {
    if (folder.has(".session")) {
      const Config there = folder.read(".session");
      if (there.contains("session") && there["session"] == session) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw Error(fmt::format("rank 0 did not prepare {} within {} s", folder.path(), kMostSeconds));
}

// What is shared between processes that work side by side; nothing if there is one.
std::unique_ptr<record::BlobCache> open_cache(const RunFolder& folder, bool is_shared) {
  if (!is_shared) return nullptr;
  std::filesystem::create_directories(folder.file("cache"));
  return std::make_unique<record::BlobCache>(folder.file("cache"));
}

int run_worker(const std::vector<LearnerFactory>& learners, const EvaluateOptions& options) {
  eval::WorkOptions how;
  how.on_event = eval::report_to_parent();
  try {
    RunFolder folder(options.output);
    const Plan plan = read_plan(folder);
    std::vector<std::string> notes;
    const Dataset dataset =
        eval::with_links_held_out(io::read_dataset(options.dataset, molecules_of(options), notes, 1),
                                  plan.targets, static_cast<int>(plan.splits.size()), plan.split_seed)
            .dataset;
    if (checksum(dataset) != plan.checksum)
      throw InputError(fmt::format("{} changed while it was evaluated", options.dataset));
    const model::Targets targets(dataset, plan.targets);
    const auto cache = open_cache(folder, true);
    how.shard = shard_of(options);
    const auto make = [&] {
      return find_learner(learners, plan.model)
          .make(
              {dataset.graphs, targets.task(), targets.items(), how.threads, options.max_memory, cache.get()});
    };
    eval::work(plan, folder, targets, make, how);
    return 0;
  } catch (const std::exception& error) {
    eval::report_fatal(is_out_of_memory(error) ? out_of_memory_text() : error.what());
    return 1;
  }
}

EvaluateViewOptions view_options(const EvaluateOptions& options, const Plan& plan, const RunFolder& folder,
                                 bool leads) {
  EvaluateViewOptions view;
  view.label = options.label.empty() ? plan.model + " on " + plan.dataset : options.label;
  view.jobs = options.jobs;
  view.quiet = options.quiet || !leads;
  view.shard = shard_of(options);
  view.finished = eval::work_state(plan, folder, view.shard).finished;
  if (!view.quiet) read_task_times(plan, folder, view.selections, view.finals);
  return view;
}

// Shorter ones are over before anybody wonders.
constexpr double kWorthForecast = 1800;
// Measuring the configurations of a large grid must not take long itself.
constexpr double kMostForecast = 20;

void say_forecast(const eval::GridCosts& costs, const Plan& plan, const EvaluateOptions& options,
                  std::ostream& err) {
  const std::size_t configs = plan.grid.size();
  const double seconds = eval::forecast_seconds(plan, costs, shard_of(options));
  fmt::print(err,
             "{}: {}at most about {} on {} job{}, every training to its last epoch ({} of {} configuration{} "
             "measured)\n",
             options.caller, options.shard.empty() ? "" : fmt::format("shard {}: ", options.shard),
             format_duration(seconds / options.jobs), options.jobs, options.jobs == 1 ? "" : "s",
             costs.measured, configs, configs == 1 ? "" : "s");
}

// 1 if tasks have failed.
int report_unfinished(const RunFolder& folder, const Plan& plan, const eval::WorkState& state,
                      const std::string& caller, std::ostream& err) {
  const std::vector<eval::TaskId> tasks = eval::list_tasks(plan);
  for (const std::size_t i : state.failed) {
    const std::string name = task_name(tasks[i]);
    const std::string file = "failed/" + name + ".json";
    const Config failure = folder.read(file);
    fmt::print(err, "{} failed: {}\n", name, record::JsonView(failure, folder.file(file)).at("reason").text());
  }
  if (!state.failed.empty()) {
    fmt::print(err, "{}: {} of {} tasks finished, {} failed; the same command tries them again\n", caller,
               state.finished, state.total, state.failed.size());
    return 1;
  }
  return 0;
}

}  // namespace

void declare_evaluate(Options& flags, EvaluateOptions& options) {
  flags.add("DATASET", options.dataset, kLabeledDatasetKinds).required().type_name("");
  // A configuration file may say it, so its absence is found later.
  declare_model(flags, options.model).required_in_the_end();
  // Only what writes needs it, which is found later.
  declare_output(flags, options.output,
                 "The run folder; resumes an existing run. Required but for --dry-run and --plan");
  flags
      .add("--preset", options.preset,
           "The grid to choose from: quick, default (of nodes and links others are meant: nodes-quick, nodes, "
           "links-quick, links), molecules, paper, paper-text or paper-quick")
      .show_default()
      .type_name("PRESET");
  flags
      .add(
          "--search", options.search,
          "Train every configuration to its end (grid), the better third of them ever longer (halving), or one "
          "after the other until none can be better: the winner of grid (until-perfect)")
      .one_of({"grid", "halving", "until-perfect"})
      .show_default()
      .type_name("WORD");
  declare_split(flags, options.split);
  flags.add("--splits", options.splits, "A JSON file with the folds [drawn from --split-seed]")
      .type_name("FILE");
  flags
      .add("--folds", options.folds,
           "Outer folds; of a splits file the first K [10, or all of the file; links of a graph: 1]")
      .range(1, 100000)
      .type_name("K");
  flags.add("--repeats", options.repeats, "Fresh runs of each fold's winner; kernels need one and get one")
      .range(1, 1000)
      .show_default()
      .type_name("N");
  flags
      .add("--metric", options.metric,
           "What choices go by: accuracy, balanced-accuracy, f1, roc-auc or average-precision; for links also "
           "hits@20 and hits@50; for real targets mae, rmse or r2 [accuracy; roc-auc of links; mae]")
      .type_name("METRIC");
  flags.add_flag(
      "--blind", options.blind,
      "Seal test scores and predictions until twofold reveal; choose by validation scores meanwhile");
  flags
      .add("--refit", options.refit,
           "Whether final runs learn from the validation graphs too, once these have chosen; auto: with preset "
           "default, where nothing else goes by them (kernels, and networks that train to their end)")
      .one_of({"auto", "true", "false"})
      .show_default()
      .type_name("WORD");
  flags
      .add("--inner-folds", options.inner_folds,
           "Choose by cross-validation over training and validation graphs in K parts, instead of by one "
           "holdout: "
           "K times the work, a steadier choice on small datasets")
      .range(1, eval::kMostInnerFolds)
      .show_default()
      .type_name("K");
  declare_seed(flags, options.seed);
  declare_split_seed(flags, options.split_seed);
  declare_targets(flags, options.target);
  declare_molecules(flags, options.molecules);
  flags.add("--jobs", options.jobs, "Processes that share the tasks, one thread each")
      .range(1, 4096)
      .show_default()
      .type_name("N");
  flags
      .add("--shard", options.shard,
           "Do only part I of N of the tasks, for job arrays: whole folds, if there are at least N")
      .type_name("I/N");
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.add_flag("--no-twins", options.no_twins, "Do not look for graphs that the model cannot tell apart");
  flags.add_flag("--dry-run", options.dry_run, "Print the grid and stop; nothing is written");
  Option& plan = flags.add_flag(
      "--plan", options.plan,
      "Tell tasks, CPU hours, memory and schedules on many workers, from one measured epoch of each "
      "configuration, and stop; nothing is written");
  flags.add("--workers", options.workers, "With --plan: numbers of workers to plan for")
      .comma_separated()
      .range(1, 1000000)
      .show_default("10,100,1000")
      .type_name("N,N,…")
      .needs(plan);
  flags.add("--cores", options.cores, "With --plan: cores that these workers share [one for each]")
      .range(1, 1000000)
      .type_name("N")
      .needs(plan);
  flags.add_flag("--worker", options.is_worker, "Started by another evaluate").hidden();
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_learning(flags, options.model_options, GivenValues::kSeveral);
  declare_config(flags, options.config);
  flags.footer(R"(
Ten outer folds; in each, every configuration is trained once and the one with the best validation score is trained
afresh --repeats times and tested. Test graphs take no part in choosing. Interrupt it at any time: the same command
goes on where it stopped. Under mpirun or srun the ranks share the tasks.

Examples:
  twofold evaluate TRIANGLE --model wl-st -o runs/triangle-wl
  twofold evaluate data/NCI1 --model wl-st --preset paper --splits data/NCI1/NCI1_splits.json --jobs 2 -o runs/nci1
  twofold evaluate TRIANGLE --model wl-st --iterations 1,3 --penalty 0.1 --normalize false --folds 5 -o runs/small --json
  twofold evaluate data/CORA --model gcn -o runs/cora                  nodes, held out as in data/CORA/split.json
  twofold evaluate data/CORA --model sage --task links --metric roc-auc -o runs/cora-links
  twofold evaluate data/NCI1 --model 2-wl-gnn --plan --workers 10,100,1000
  twofold compare runs/triangle-wl runs/other)");
}

int run_evaluate(const EvaluateOptions& options, std::ostream& out, std::ostream& err) {
  return evaluate_with(train::all_learners(), options, out, err);
}

int evaluate_with(const std::vector<LearnerFactory>& learners, const EvaluateOptions& options,
                  std::ostream& out, std::ostream& err) {
  if (options.is_worker) return run_worker(learners, options);
  if (options.model.empty()) throw UsageError("--model is required");
  if (options.output.empty() && !options.dry_run && !options.plan) throw UsageError("--output is required");
  const bool is_network = model::find_model(options.model).is_network;
  const eval::Shard shard = shard_of(options);
  const std::optional<eval::Rank> rank = eval::detect_rank();
  if (options.dataset == "-" && (options.jobs > 1 || rank))
    throw UsageError("several processes cannot all read standard input: give a file");

  require_output_apart(options.output,
                       {input_of_dataset(options.dataset), options.splits, options.config.path});
  const double read_start = seconds_on(Clock::kCpu);
  const eval::LinkData data =
      eval::with_links_held_out(read_input(options.dataset, molecules_of(options), options.threads,
                                           options.quiet || options.is_worker, err),
                                options.target, options.folds, options.split_seed);
  const double read_seconds = seconds_on(Clock::kCpu) - read_start;
  const Dataset& dataset = data.dataset;
  if (!data.splits.empty() && !(options.splits.empty() && options.split.empty()))
    throw UsageError(
        "--task links holds out edges of the graphs itself: needed no --splits, or a dataset with "
        "pair targets, found neither");
  model::TargetChoice choice = options.target;
  forget_chosen_column(dataset, choice);
  const model::Targets targets(dataset, choice);
  // A plan is for workers of one thread.
  const bool is_alone = options.jobs == 1 && !rank && !options.plan;
  const int threads = is_alone ? resolve_threads(options.threads) : 1;
  std::unique_ptr<record::BlobCache> cache;
  const auto make_learner = [&] {
    return find_learner(learners, options.model)
        .make({dataset.graphs, targets.task(), targets.items(), threads, options.max_memory, cache.get()});
  };
  // To look at a network's grid takes no network.
  const bool is_deterministic = !(options.dry_run && is_network) && make_learner()->is_deterministic();
  Plan plan = plan_of(options, dataset, choice, targets, is_deterministic,
                      options.dry_run ? model::Libraries() : find_learner(learners, options.model).libraries,
                      data.splits);
  if (plan.search != eval::parse_search(options.search) && !options.quiet)
    fmt::print(err, "{}: {} has no epochs to divide: --search halving is grid\n", options.caller, plan.model);
  if (plan.preset != options.preset && !options.quiet)
    fmt::print(err, "{}: {} of {}: preset {}, {} configuration{}{}\n", options.caller,
               model::to_string(plan.about), plan.dataset, plan.preset, plan.grid.size(),
               plan.grid.size() == 1 ? "" : "s",
               plan.grid.size() == 1
                   ? fmt::format(" ({})", eval::options_text(model::find_model(plan.model), plan.grid[0]))
                   : "");
  if (const std::string own = plan.given.value("splits", std::string());
      !own.empty() && own != splits_file(options) && !options.quiet)
    fmt::print(err, "{}: held out as in {}; --split random draws folds\n", options.caller, own);
  if (options.dry_run) {
    print_plan(plan, out);
    out.flush();
    if (is_network && !options.quiet) {
      eval::MeasureOptions how;
      how.most_seconds = kMostForecast;
      how.shard = shard;
      say_forecast(eval::measure_grid(plan, *make_learner(), targets, how), plan, options, err);
    }
    return 0;
  }
  // Nothing is written before every configuration has been checked against the data.
  const std::unique_ptr<model::Learner> checker = make_learner();
  for (const Config& config : plan.grid) checker->check(config);
  if (options.plan) {
    plan_evaluation(plan, *checker, targets,
                    {options.workers, options.cores, read_seconds, options.most_plan_seconds,
                     options.output.empty() ? "run" : options.output, options.json, options.quiet},
                    out, err);
    return 0;
  }
  if (const std::string hint = model::hint_at_values(dataset, targets.task()); !options.quiet && !hint.empty())
    fmt::print(err, "{}: {}: {}\n", options.caller, plan.dataset, hint);

  const model::GraphData ignored =
      model::ignored_data(model::data_of(dataset.graphs), model::seen_data(plan.model, plan.grid));
  RunFolder folder(options.output);
  eval::RunLock lock;
  const bool leads = !rank || rank->leads;
  if (leads) {
    eval::require_run_folder(options.output);
    if (!options.quiet)
      say_when_interrupted(
          fmt::format("\n{}: interrupted; the same command goes on from here\n", options.caller));
    folder.create();
    lock = folder.lock(shard);
    start_run(folder, plan, shard, options.caller, err);
    if (!options.quiet && !ignored.none() && options.label.empty())
      fmt::print(err, "{}: {}\n", options.caller, model::describe_ignored(plan.model, plan.dataset, ignored));
    if (rank) folder.write(".session", {{"session", rank->session}});
  } else {
    wait_for_leader(folder, rank->session);
    const Plan there = read_plan(folder);
    require_same(there, plan, folder.path());
    plan.format = there.format;
  }
  cache = open_cache(folder, !is_alone);
  // What takes long is told before it starts. A run that goes on knows its time from the tasks that are done.
  if (is_network && !options.quiet && leads && eval::work_state(plan, folder, shard).finished == 0) {
    eval::MeasureOptions how;
    how.most_seconds = kMostForecast;
    how.worth = kWorthForecast;
    how.shard = shard;
    const eval::GridCosts costs = eval::measure_grid(plan, *make_learner(), targets, how);
    if (eval::forecast_seconds(plan, costs, shard) >= kWorthForecast) say_forecast(costs, plan, options, err);
  }
  {
    EvaluateView view(err, plan, view_options(options, plan, folder, leads));
    const auto on_event = [&](const eval::WorkEvent& event) { view.on_event(event); };
    if (options.jobs > 1) {
      eval::run_workers(plan, folder,
                        {options.jobs, worker_command(options), on_event, [&] { view.on_tick(); }});
    } else {
      eval::work(plan, folder, targets, make_learner, {shard, threads, on_event});
    }
  }
  if (!leads) return 0;

  const eval::WorkState state = eval::work_state(plan, folder);
  if (state.unfinished() > 0) {
    if (report_unfinished(folder, plan, state, options.caller, err) != 0) return 1;
    fmt::print(
        out,
        "shard {}/{} is done; {} of {} tasks are finished: start once more without --shard after the others\n",
        shard.index, shard.count, state.finished, state.total);
    return 0;
  }
  std::optional<model::TwinClasses> twins;
  if (!options.no_twins) twins = eval::find_twins(folder, *make_learner(), plan);
  eval::Result whole = eval::summarize(plan, folder, targets, twins);
  if (!ignored.none()) whole.json["ignores"] = model::data_names(ignored);
  const Config result = eval::write_result(folder, plan, whole);
  cache.reset();
  if (shard.count == 1) folder.remove("cache");
  if (options.json)
    out << result.dump(-1, ' ', false, Config::error_handler_t::replace) << '\n';
  else
    print_evaluation(plan, result, out);
  return 0;
}

}  // namespace twofold::cli
