#include "twofold/report/run_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/mean_std.h"
#include "twofold/model/metrics.h"

namespace twofold::report {
namespace {

namespace fs = std::filesystem;
using record::Json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kDeepest = 3;

// What may not be looked at is not there.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void collect_run_folders(const fs::path& path, int depth, std::vector<std::string>& found) {
  if (is_run_folder(path.string())) {
    found.push_back(path.string());
    return;
  }
  if (depth == 0) return;
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) collect_run_folders(folder, depth - 1, found);
}

// The last `count` components of a path.
std::string tail(const std::string& folder, std::size_t count) {
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(folder).lexically_normal())
    if (!part.empty() && part != "/") parts.push_back(part.string());
  std::string name;
  for (std::size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i)
    name += (name.empty() ? "" : "/") + parts[i];
  return name.empty() || name == "." || name == ".."
             ? file_name(fs::absolute(folder).lexically_normal().string())
             : name;
}

const Json& find(const Json& json, const char* key) {
  static const Json kNothing;
  if (!json.is_object()) return kNothing;
  const auto found = json.find(key);
  return found == json.end() ? kNothing : *found;
}

double number_at(const Json& json, const char* key) {
  const Json& value = find(json, key);
  return value.is_number() ? value.get<double>() : kNone;
}

std::size_t count_at(const Json& json, const char* key) {
  const double value = number_at(json, key);
  return value >= 0 && value < 1e15 ? static_cast<std::size_t>(value) : 0;
}

std::string text_at(const Json& json, const char* key) {
  const Json& value = find(json, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::vector<double> numbers_at(const Json& json, const char* key, double factor) {
  std::vector<double> values;
  const Json& list = find(json, key);
  if (list.is_array())
    for (const Json& value : list) values.push_back(value.is_number() ? factor * value.get<double>() : kNone);
  return values;
}

// Of run.json first; result.json repeats it.
std::string told(const record::RunRecord& record, const char* key) {
  const std::string text = text_at(record.run, key);
  return text.empty() ? text_at(record.result, key) : text;
}

void read_folds(RunView& view) {
  record::RunRecord& record = view.record;
  const Json& folds = find(record.result, "folds");
  if (!folds.is_array() || folds.empty())
    throw InputError(fmt::format("{}/result.json: needed the scores of the folds, found none", record.folder));
  std::vector<double> tests, trains, validations;
  record.is_sealed = find(record.result, "sealed") == Json(true);
  for (const Json& fold : folds) {
    record::RunFold one;
    // A fold may be no more than its score.
    one.test = record.is_sealed ? kNone : fold.is_number() ? fold.get<double>() : number_at(fold, "test");
    one.train = number_at(fold, "train");
    one.validation = number_at(fold, "validation");
    one.config = find(fold, "config");
    const Json& graphs = find(fold, "graphs");
    one.num_train = count_at(graphs, "train");
    one.num_validation = count_at(graphs, "validation");
    one.num_test = count_at(graphs, "test");
    const Json& runs = find(fold, "runs");
    if (runs.is_array()) view.repeats = std::max(view.repeats, runs.size());
    tests.push_back(one.test);
    trains.push_back(one.train);
    validations.push_back(one.validation);
    record.folds.push_back(std::move(one));
  }
  const std::vector<double>& needed = record.is_sealed ? validations : tests;
  if (std::all_of(needed.begin(), needed.end(), [](double value) { return std::isnan(value); }))
    throw InputError(fmt::format("{}/result.json: needed the {} scores of the folds, found none", record.folder,
                                 record.scored_part()));
  const auto take = [&](const char* mean_key, const char* std_key, const std::vector<double>& values,
                        double& mean, double& std) {
    mean = number_at(record.result, mean_key);
    std = number_at(record.result, std_key);
    const eval::MeanStd computed = eval::mean_std(values);
    if (std::isnan(mean)) mean = computed.mean;
    if (std::isnan(std)) std = computed.std;
  };
  take("test_mean", "test_std", tests, record.test_mean, record.test_std);
  take("train_mean", "train_std", trains, record.train_mean, record.train_std);
  take("validation_mean", "validation_std", validations, record.validation_mean, record.validation_std);
}

void read_main(RunView& view) {
  record::RunRecord& record = view.record;
  const std::string& folder = record.folder;
  if (is_there(folder + "/run.json")) {
    record::RunFile file = record::decode_run(read_file(folder + "/run.json"), folder + "/run.json");
    record.run = std::move(file.content);
    view.format = file.format;
  } else {
    view.gaps.push_back("run.json is missing: data, splits and grid are not known for sure.");
  }
  if (!is_there(folder + "/result.json"))
    throw InputError(fmt::format("{}: not finished ({} tasks are done); start its evaluation again to go on",
                                 folder, record::list_finished_tasks(folder).size()));
  record.result = record::read_record(folder + "/result.json", record::checksum_rule(view.format));
  record.model = told(record, "model");
  record.metric = told(record, "metric");
  record.preset = told(record, "preset");
  if (record.model.empty()) throw InputError(fmt::format("{}: needed the name of a model, found none", folder));
  if (record.metric.empty())
    throw InputError(fmt::format("{}: needed the name of a metric, found none", folder));
  // The dataset may be its name alone.
  const Json& dataset = find(record.run, "dataset");
  record.dataset = dataset.is_object() ? text_at(dataset, "name") : told(record, "dataset");
  record.dataset_checksum = text_at(dataset, "checksum");
  record.splits_checksum = text_at(find(record.run, "splits"), "checksum");
  if (record.dataset.empty()) record.dataset = "unnamed data";
  const Json& grid = find(record.run, "grid");
  view.num_configs = grid.is_array() ? grid.size() : count_at(record.result, "configurations");
  read_folds(view);
  if (view.repeats == 0) view.repeats = count_at(record.run, "repeats");
}

void read_metrics(RunView& view) {
  const record::RunRecord& record = view.record;
  const std::string part = record.scored_part();
  const Json& all = find(record.result, "metrics");
  for (const model::MetricRow& row : model::metric_table()) {
    const Json& one = find(all, row.word);
    if (!one.is_object()) continue;
    view.metrics.push_back(
        {row.word, number_at(one, (part + "_mean").c_str()), number_at(one, (part + "_std").c_str())});
  }
}

void read_targets(RunView& view) {
  const Json& targets = find(view.record.result, "targets");
  if (!targets.is_array()) return;
  for (const Json& target : targets) {
    RunTarget one;
    one.name = text_at(target, "name");
    for (const model::MetricRow& row : model::metric_table())
      if (const Json& metric = find(target, row.word); metric.is_object())
        one.metrics.push_back({row.word, number_at(metric, "test_mean"), number_at(metric, "test_std")});
    view.targets.push_back(std::move(one));
  }
}

void read_confusion(RunView& view) {
  const Json& json = find(view.record.result, "confusion");
  const Json& names = find(json, "classes");
  const Json& counts = find(json, "counts");
  if (!names.is_array() || !counts.is_array() || names.empty() || names.size() != counts.size()) return;
  RunConfusion confusion;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!names[c].is_string() || !counts[c].is_array() || counts[c].size() != names.size()) return;
    confusion.classes.push_back(names[c].get<std::string>());
    std::vector<double>& row = confusion.counts.emplace_back();
    for (const Json& count : counts[c]) row.push_back(count.is_number() ? count.get<double>() : kNone);
  }
  view.confusion = std::move(confusion);
}

void read_sureness(RunView& view) {
  const Json& coverage = find(view.record.result, "coverage");
  if (coverage.is_array())
    for (const Json& one : coverage)
      view.coverage.push_back({number_at(one, "level"), number_at(one, "found_mean"),
                               number_at(one, "found_std"), number_at(one, "size_mean")});
  const Json& bins = find(find(view.record.result, "reliability"), "bins");
  if (bins.is_array())
    for (const Json& bin : bins)
      view.reliability.push_back({number_at(bin, "from"), number_at(bin, "to"), number_at(bin, "graphs"),
                                  number_at(bin, "said"), number_at(bin, "found")});
}

void read_revealed(RunView& view) {
  const std::string path = view.record.folder + "/revealed.json";
  if (!is_there(path)) return;
  try {
    const Json json = record::read_record(path, record::Checksum::kRequired);
    view.revealed = RunRevealed{text_at(json, "time"), count_at(json, "before")};
  } catch (const Error& error) {
    view.gaps.push_back(without_place(error.what(), view.record.folder) +
                        " (when it was revealed is not known).");
  }
}

void read_curves(RunView& view) {
  // Curves of classes are fractions of right graphs.
  const model::MetricRow* metric = model::find_metric(view.record.metric);
  const double factor = metric != nullptr && metric->is_of_classes ? 100 : 1;
  for (const std::string& task : record::list_finished_tasks(view.record.folder)) {
    if (task.rfind("final-", 0) != 0) continue;
    try {
      const Json json = record::read_record(view.record.folder + "/tasks/" + task + ".json",
                                            record::checksum_rule(view.format));
      const Json& history = find(json, "history");
      TrainingCurve curve = {numbers_at(history, "train_loss", 1), numbers_at(history, "validation_loss", 1),
                             numbers_at(history, "train", factor), numbers_at(history, "validation", factor)};
      if (curve.train_loss.size() + curve.validation_loss.size() + curve.train.size() +
              curve.validation.size() >
          0)
        view.curves.push_back(std::move(curve));
    } catch (const Error& error) {
      view.gaps.push_back(without_place(error.what(), view.record.folder) +
                          " (its training curve is left out).");
    }
  }
}

void read_times(RunView& view) {
  const std::string folder = view.record.folder + "/timing";
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  RunTimes times;
  std::vector<double> seconds;
  std::set<int> threads;
  for (const std::string& file : files) {
    try {
      const Json json = record::read_record(file);
      const double value = number_at(json, "seconds");
      if (std::isnan(value)) continue;
      seconds.push_back(value);
      times.seconds += value;
      const double bytes = number_at(json, "peak_memory_bytes");
      if (bytes > times.peak_bytes) times.peak_bytes = bytes;
      threads.insert(static_cast<int>(std::min<std::size_t>(count_at(json, "threads"), 1000000)));
    } catch (const Error& error) {
      view.gaps.push_back(without_place(error.what(), view.record.folder) + " (its time is left out).");
    }
  }
  if (seconds.empty()) return;
  std::sort(seconds.begin(), seconds.end());
  times.num_tasks = seconds.size();
  times.median_seconds = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
  times.threads = threads.size() == 1 ? *threads.begin() : 0;
  view.times = times;
}

}  // namespace

const char* RunView::items() const {
  const std::string about = text_at(find(record.run, "items"), "about");
  return about == "nodes" ? "nodes" : about == "links" ? "links" : "graphs";
}

int RunView::inner_folds() const {
  const Json& parts = find(record.run, "inner_folds");
  return parts.is_number_integer() ? parts.get<int>() : 1;
}

bool is_run_folder(const std::string& folder) {
  return is_there(fs::path(folder) / "run.json") || is_there(fs::path(folder) / "result.json");
}

std::vector<std::string> find_run_folders(const std::string& folder) {
  std::vector<std::string> found;
  collect_run_folders(folder, kDeepest, found);
  return found;
}

// The number where no components do.
std::vector<std::string> name_runs(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (std::size_t count = 1; count <= 8; ++count) {
    names.clear();
    for (const std::string& folder : folders) names.push_back(tail(folder, count));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
  for (std::size_t i = 0; i < names.size(); ++i) names[i] += fmt::format(" ({})", i + 1);
  return names;
}

std::string without_place(std::string message, const std::string& folder) {
  for (const std::string& prefix : {folder + ": ", folder + "/"})
    for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix, at))
      message.erase(at, prefix.size());
  return message;
}

RunViews read_run_views(const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    const std::vector<std::string> within = find_run_folders(folder);
    found.insert(found.end(), within.begin(), within.end());
    if (within.empty())
      throw InputError(fmt::format("{}: needed a run folder of twofold evaluate, or a folder of such, found {}",
                                   folder, is_there(folder) ? "none in it" : "nothing of that name"));
  }
  std::vector<std::string> once;
  std::set<std::string> seen;
  for (const std::string& folder : found) {
    std::error_code error;
    const fs::path place = fs::canonical(folder, error);
    if (seen.insert(error ? folder : place.string()).second) once.push_back(folder);
  }
  const std::vector<std::string> names = name_runs(once);
  RunViews views;
  for (std::size_t i = 0; i < once.size(); ++i) {
    RunView view;
    view.name = names[i];
    view.record.folder = once[i];
    try {
      read_main(view);
      read_metrics(view);
      read_targets(view);
      read_confusion(view);
      read_sureness(view);
      read_revealed(view);
      read_curves(view);
      read_times(view);
      views.runs.push_back(std::move(view));
    } catch (const Error& error) {
      views.skipped.push_back({names[i], without_place(error.what(), once[i]), once[i],
                               is_there(once[i] + "/run.json") && !is_there(once[i] + "/result.json")});
    }
  }
  return views;
}

void take_going(RunViews& views, const std::string& version) {
  std::vector<SkippedRun> others;
  for (SkippedRun& run : views.skipped) {
    if (!run.is_unfinished) {
      others.push_back(std::move(run));
      continue;
    }
    try {
      const eval::RunFolder folder(run.folder);
      const eval::Plan plan = eval::read_plan(folder, version);
      views.going.push_back(
          {run.name, plan.dataset, plan.model, metric_name(plan.metric), eval::read_status(plan, folder)});
    } catch (const Error& error) {
      run.reason = without_place(error.what(), run.folder);
      others.push_back(std::move(run));
    }
  }
  views.skipped = std::move(others);
}

}  // namespace twofold::report
