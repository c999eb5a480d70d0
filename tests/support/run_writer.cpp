#include "tests/support/run_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace twofold::testing {

using Json = nlohmann::ordered_json;

std::string write_run(const TemporaryFolder& place, const WrittenRun& run) {
  const Json config = {{"layers", 3}, {"width", 32}, {"activation", "relu"}};
  const Json record = {
      {"format", 1},
      {"twofold", "0.1.0"},
      {"commit", "0123456789ab"},
      {"dataset", {{"name", run.dataset}, {"checksum", "00112233445566778899aabbccddeeff"}, {"graphs", 100}}},
      {"model", run.model},
      {"preset", run.preset},
      {"metric", run.metric},
      {"seed", 1},
      {"repeats", 1},
      {"folds", run.tests.size()},
      {"splits", {{"checksum", run.splits}}},
      {"grid", Json::array({config})}};
  place.write(run.name + "/run.json", record.dump(1));
  Json folds = Json::array();
  double sum = 0, squares = 0;
  for (std::size_t f = 0; f < run.tests.size(); ++f) {
    const double test = run.tests[f];
    sum += test;
    squares += test * test;
    const Json runs = Json::array({{{"test", test}, {"train", 99.0}, {"validation", 88.0}}});
    folds.push_back({{"test", test},
                     {"train", 99.0},
                     {"validation", 88.0},
                     {"config", config},
                     {"config_index", 0},
                     {"runs", runs},
                     {"graphs", {{"train", 80}, {"validation", 10}, {"test", 10}}}});
    Json history = Json::object();
    for (std::size_t e = 0; e < run.num_epochs; ++e) {
      const double part = static_cast<double>(e) / static_cast<double>(run.num_epochs);
      history["train_loss"].push_back(std::exp(-2 * part));
      history["train"].push_back(0.5 + 0.4 * part);
      history["validation_loss"].push_back(std::exp(-part) + 0.01 * static_cast<double>(f));
      history["validation"].push_back(0.5 + 0.3 * part);
    }
    const std::string task = fmt::format("final-f{:02}-r1", f);
    const Json final = {{"task", task}, {"fold", f},   {"run", 1},         {"config", 0},       {"seed", 7},
                        {"test", test}, {"train", 99}, {"validation", 88}, {"history", history}};
    place.write(run.name + "/tasks/" + task + ".json", final.dump());
    place.write(run.name + "/timing/" + task + ".json", Json({{"seconds", 1.5},
                                                              {"ended", 1},
                                                              {"host", "somewhere"},
                                                              {"threads", 1},
                                                              {"peak_memory_bytes", 50000000}})
                                                            .dump());
  }
  const auto count = static_cast<double>(run.tests.size());
  Json result = {{"dataset", run.dataset},
                 {"model", run.model},
                 {"preset", run.preset},
                 {"metric", run.metric},
                 {"configurations", 1},
                 {"repeats", 1},
                 {"seed", 1},
                 {"folds", folds},
                 {"test_mean", sum / count},
                 {"test_std", std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)))},
                 {"train_mean", 99.0},
                 {"train_std", 0.0},
                 {"validation_mean", 88.0},
                 {"validation_std", 0.0}};
  const Json spread = {
      {"test_mean", 61.5}, {"test_std", 2.5}, {"validation_mean", 62.5}, {"validation_std", 1.5}};
  result["metrics"] = {{run.metric, spread}};
  if (run.metric == "accuracy") {
    result["metrics"]["roc-auc"] = spread;
    Json counts = Json::array();
    for (std::size_t c = 0; c < run.classes.size(); ++c)
      counts.push_back(std::vector<double>(run.classes.size(), 10 + static_cast<double>(c)));
    result["confusion"] = {{"classes", run.classes}, {"counts", counts}};
  }
  if (run.is_sealed) {
    result["sealed"] = true;
    for (Json& fold : result["folds"]) fold.erase("test");
    for (const char* key : {"test_mean", "test_std", "confusion"}) result.erase(key);
  }
  place.write(run.name + "/result.json", result.dump(1));
  return place.path(run.name);
}

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names = {
      "<script>alert(1)</script>",
      "\"'onload='x",
      "`touch hacked`",
      "@M ^{x} _y {/Bold z}",
      "'; set output 'hacked'; #",
      "]]><!--",
      "\\\\n\\\"$(touch hacked)",
      "a\"];x[label=\"b",
      "very-long-name-of-a-run-that-goes-on-and-on-and-never-ends-at-all",
  };
  return names;
}

}  // namespace twofold::testing
