#include "twofold/record/run_record.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::record {
namespace {

namespace fs = std::filesystem;

Json read_json(const std::string& path) {
  try {
    return Json::parse(read_file(path));
  } catch (const Json::parse_error&) {
    throw InputError(fmt::format("{}: needed JSON, found something else", path));
  }
}

double number(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool higher_is_better(const std::string& metric) { return metric == "accuracy" || metric == "r2"; }

RunRecord read_run(const std::string& folder) {
  if (!fs::exists(folder + "/run.json"))
    throw InputError(fmt::format("{}: needed a run folder of twofold evaluate, found no run.json", folder));
  RunRecord record;
  record.folder = folder;
  record.run = read_json(folder + "/run.json");
  if (!fs::exists(folder + "/result.json"))
    throw InputError(
        fmt::format("{}: the evaluation is not finished; start it again with its command", folder));
  record.result = read_json(folder + "/result.json");
  try {
    record.dataset = record.run.at("dataset").at("name").get<std::string>();
    record.dataset_checksum = record.run.at("dataset").at("checksum").get<std::string>();
    record.splits_checksum = record.run.at("splits").at("checksum").get<std::string>();
    record.model = record.run.at("model").get<std::string>();
    record.preset = record.run.at("preset").get<std::string>();
    record.metric = record.run.at("metric").get<std::string>();
    for (const Json& fold : record.result.at("folds")) {
      const Json& graphs = fold.at("graphs");
      record.folds.push_back({number(fold.at("train")), number(fold.at("validation")), number(fold.at("test")),
                              fold.at("config"), graphs.at("train").get<std::size_t>(),
                              graphs.at("validation").get<std::size_t>(),
                              graphs.at("test").get<std::size_t>()});
    }
    record.test_mean = number(record.result.at("test_mean"));
    record.test_std = number(record.result.at("test_std"));
    record.train_mean = number(record.result.at("train_mean"));
    record.train_std = number(record.result.at("train_std"));
  } catch (const Json::exception& error) {
    throw InputError(
        fmt::format("{}: needed the records of twofold evaluate, found others ({})", folder, error.what()));
  }
  return record;
}

Json read_task(const std::string& folder, const std::string& task) {
  return read_json(folder + "/tasks/" + task + ".json");
}

std::vector<std::string> list_finished_tasks(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/tasks", ignored))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace twofold::record
