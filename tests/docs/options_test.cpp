// docs/commands/options.md is the option table as a page: TWOFOLD_UPDATE=1 writes it anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "cli/command_evaluate.h"
#include "cli/command_train.h"
#include "cli/command_tree.h"
#include "cli/registry.h"
#include "twofold/base/file.h"
#include "twofold/model/model_table.h"

namespace twofold::testing {
namespace {

using model::Model;
using model::ModelOption;

std::string text_of(const model::Config& value) {
  if (value.is_number_float()) return fmt::format("{:g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// `32`; `tanh`, gcn, sage: `relu`.
std::string defaults(const model::SharedOption& shared) {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;
  for (const Model* model : shared.models) {
    const std::string value = text_of(model->find(shared.option.name)->fallback);
    const auto same =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == value; });
    if (same == values.end())
      values.push_back({value, {model->name}});
    else
      same->second.push_back(model->name);
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string text = "`" + values[0].first + "`";
  for (std::size_t i = 1; i < values.size(); ++i)
    text += fmt::format("; {}: `{}`", fmt::join(values[i].second, ", "), values[i].first);
  return text;
}

std::string page() {
  std::string text = R"(# Options of models

`twofold train` and `twofold evaluate` take the same options with the same defaults and limits. `train` takes one value of
each, `evaluate` several with commas between, which make a grid. An option alone means `true` where that is one of its values.
This page is made from the table that the program reads.

| option | also | meaning | values | default | models |
|---|---|---|---|---|---|
)";
  for (const model::SharedOption& shared : model::all_options()) {
    std::vector<std::string> models, aliases;
    for (const Model* model : shared.models) models.push_back(model->name);
    for (const std::string& alias : shared.option.aliases) aliases.push_back("`--" + alias + "`");
    text += fmt::format("| `--{}` | {} | {} | {} | {} | {} |\n", shared.option.name, fmt::join(aliases, ", "),
                        shared.option.meaning, model::allowed_values(shared.option), defaults(shared),
                        fmt::join(models, ", "));
  }
  return text;
}

TEST(Docs, OptionsAreThoseOfTheTable) {
  const std::string path = std::string(TWOFOLD_SOURCE_DIR) + "/docs/commands/options.md";
  if (std::getenv("TWOFOLD_UPDATE") != nullptr) {
    AtomicFile file(path);
    file.write(page());
    file.commit();
  }
  EXPECT_EQ(read_file(path), page()) << "TWOFOLD_UPDATE=1 writes it anew";
}

// What one command says of an option, the other says too: default, limits and models stand in these texts.
TEST(Options, OfEveryModelAreTheSameInTrainAndEvaluate) {
  std::map<std::string, std::map<std::string, cli::OptionText>> options;
  for (const cli::CommandPlace& place : cli::command_places(cli::twofold_commands()))
    for (const cli::OptionText& option : place.options)
      for (const std::string& name : cli::long_names(option)) options[place.path][name] = option;
  for (const Model& model : model::models())
    for (const ModelOption& option : model.options) {
      for (const char* command : {"train", "evaluate"})
        ASSERT_TRUE(options[command].count(option.name)) << command << " " << option.name;
      const cli::OptionText& train = options["train"][option.name];
      const cli::OptionText& evaluate = options["evaluate"][option.name];
      EXPECT_EQ(train.meaning, evaluate.meaning) << option.name;
      EXPECT_EQ(train.group, evaluate.group) << option.name;
      EXPECT_NE(train.meaning.find(text_of(option.fallback)), std::string::npos)
          << model.name << " " << train.meaning;
    }
}

}  // namespace
}  // namespace twofold::testing
