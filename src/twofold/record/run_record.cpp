#include "twofold/record/run_record.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::record {
namespace {

namespace fs = std::filesystem;

}  // namespace

RunRecord read_run(const std::string& folder) {
  if (!fs::exists(folder + "/run.json"))
    throw InputError(fmt::format("{}: needed a run folder of twofold evaluate, found no run.json", folder));
  RunRecord record;
  record.folder = folder;
  const std::string run_path = folder + "/run.json", result_path = folder + "/result.json";
  RunFile file = decode_run(read_file(run_path), run_path);
  record.run = std::move(file.content);
  if (!fs::exists(result_path))
    throw InputError(
        fmt::format("{}: the evaluation is not finished; start it again with its command", folder));
  record.result = read_record(result_path, checksum_rule(file.format));
  const JsonView run(record.run, run_path);
  record.dataset = run.at("dataset").at("name").text();
  record.dataset_checksum = run.at("dataset").at("checksum").text();
  record.splits_checksum = run.at("splits").at("checksum").text();
  record.model = run.at("model").text();
  record.preset = run.at("preset").text();
  record.metric = run.at("metric").text();
  const JsonView result(record.result, result_path);
  if (const JsonView sealed = result.at("sealed"); sealed.is_there()) record.is_sealed = sealed.flag();
  // A sealed run tells no test scores.
  const auto test_at = [&](const JsonView& view, const char* key) {
    return record.is_sealed ? std::numeric_limits<double>::quiet_NaN() : view.at(key).number_or_nan();
  };
  const JsonView folds = result.at("folds");
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const JsonView fold = folds.item(f);
    const JsonView graphs = fold.at("graphs");
    record.folds.push_back({fold.at("train").number_or_nan(), fold.at("validation").number_or_nan(),
                            test_at(fold, "test"), fold.at("config").object(), graphs.at("train").count(kMost),
                            graphs.at("validation").count(kMost), graphs.at("test").count(kMost)});
  }
  record.test_mean = test_at(result, "test_mean");
  record.test_std = test_at(result, "test_std");
  record.train_mean = result.at("train_mean").number_or_nan();
  record.train_std = result.at("train_std").number_or_nan();
  if (record.is_sealed) {
    record.validation_mean = result.at("validation_mean").number_or_nan();
    record.validation_std = result.at("validation_std").number_or_nan();
  }
  return record;
}

RunFile decode_run(std::string_view text, const std::string& source) {
  RunFile file;
  file.content = decode_record(text, source);
  const JsonView run(file.content, source);
  if (const JsonView format = run.at("format"); format.is_there())
    file.format = static_cast<int>(format.count_in(1, 1'000'000));
  if (file.format > kRunFormat) {
    const JsonView maker = run.at("twofold");
    throw InputError(fmt::format("{}: made by a newer twofold ({}, format {}; this one knows format {})",
                                 source, maker.is_there() ? in_quotes(maker.text()) : "unknown", file.format,
                                 kRunFormat));
  }
  // Where a checksum is, it was right; from format 2 on it must be there.
  if (file.format >= 2) decode_record(text, source, Checksum::kRequired);
  return file;
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
