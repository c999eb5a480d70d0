#include "twofold/model/model_table.h"

#include <gtest/gtest.h>

#include <set>

#include "twofold/base/error.h"
#include "twofold/model/option_table.h"

namespace twofold::model {
namespace {

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionTable, HasEveryNameOnce) {
  std::set<std::string> names;
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(names.insert(row.option.name).second) << row.option.name;
    for (const std::string& alias : row.option.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    EXPECT_NE(row.models, 0u) << row.option.name;
    EXPECT_FALSE(row.option.meaning.empty()) << row.option.name;
  }
}

TEST(OptionTable, ValuesOfAnotherTypeAreNamed) {
  for (const Model& model : models())
    for (const ModelOption& option : model.options) {
      Config config = fallback_config(model);
      config[option.name] = option.fallback.is_object() ? Config(1) : Config::object();
      EXPECT_THROW(settings_of(model, config), UsageError) << model.name << " --" << option.name;
    }
}

TEST(OptionTable, FallbacksFitAndAreWhatSettingsGiveBack) {
  for (const Model& model : models()) {
    const Config config = fallback_config(model);
    for (const ModelOption& option : model.options) {
      Config value = option.fallback;
      EXPECT_TRUE(fits(option, value)) << model.name << " " << option.name;
      Config before = option.before;
      EXPECT_TRUE(before.is_null() || fits(option, before)) << model.name << " " << option.name;
    }
    EXPECT_EQ(config_of(model, settings_of(model, config)), config) << model.name;
    EXPECT_EQ(model_of(settings_of(model, config)).name, model.name);
  }
}

// The limits of one option are those of the field it sets, in whatever file or command it stands.
TEST(OptionTable, LimitsAreThoseOfTheNetworks) {
  for (const Model& model : models())
    for (const ModelOption& option : model.options) {
      if (option.kind != OptionKind::kInteger && option.kind != OptionKind::kReal) continue;
      for (const double bound : {option.least, option.most}) {
        Config config = fallback_config(model);
        config[option.name] =
            option.kind == OptionKind::kReal ? Config(bound) : Config(static_cast<std::int64_t>(bound));
        EXPECT_NO_THROW(settings_of(model, config)) << model.name << " " << option.name << " " << bound;
        EXPECT_EQ(config_of(model, settings_of(model, config)), config) << model.name << " " << option.name;
      }
      EXPECT_EQ(message_of([&] { parse_value(option, fmt::format("{:.0f}", option.most * 2 + 2)); }),
                fmt::format("--{}: needed {}, found '{:.0f}'", option.name, allowed_values(option),
                            option.most * 2 + 2));
    }
}

TEST(OptionTable, EveryWordSetsAFieldThatSaysItAgain) {
  for (const Model& model : models())
    for (const ModelOption& option : model.options)
      for (const std::string& word : option.words) {
        LearnSettings settings = settings_of(model, fallback_config(model));
        option.set(settings, word);
        EXPECT_EQ(option.get(settings), word) << model.name << " " << option.name;
      }
}

TEST(OptionTable, AddsToAnEarlierConfigurationWhatItMeant) {
  const Model& gin = find_model("gin");
  Config config = {{"lr", 0.5}, {"schedule", "cosine"}};
  add_newer_options(gin, config);
  EXPECT_EQ(config["schedule"], "cosine");
  EXPECT_EQ(config["stop-below"], 0.0);
  EXPECT_EQ(config["optimizer"], "adam");
  // As old as the table: it was always said.
  EXPECT_FALSE(config.contains("clip"));
}

TEST(ModelTable, WhatIsAskedForMovesFallbacksThatDoNotGoWithIt) {
  const Model& model = find_model("2-wl-gnn");
  EXPECT_EQ(full_config(model, Config::object()), fallback_config(model));
  EXPECT_THROW(
      [&] {
        Config config = fallback_config(model);
        config["head"] = "none";
        settings_of(model, config);
      }(),
      UsageError);
  const Config config = full_config(model, {{"head", "none"}});
  EXPECT_EQ(config.at("pooling"), "mean");
  EXPECT_NO_THROW(settings_of(model, config));
  EXPECT_EQ(full_config(model, {{"head", "none"}, {"pooling", "max"}}).at("pooling"), "max");
  EXPECT_EQ(full_config(model, {{"batch", 1}}).at("norm"), "layer");
  EXPECT_EQ(full_config(model, {{"batch", 2}}).at("norm"), "batch");
  EXPECT_EQ(full_config(model, {{"batch", 1}, {"norm", "batch"}}).at("norm"), "batch");
  EXPECT_EQ(full_config(find_model("gcn"), {{"batch", 1}}).at("norm"), "none");
  // Where nothing is joined, nothing has to move.
  EXPECT_EQ(full_config(find_model("gcn"), {{"head", "none"}}).at("pooling"), "sum");
  EXPECT_EQ(full_config(find_model("gin"), {{"layers", 2}}).at("pooling"), "sum");
}

TEST(ModelTable, TakesModelsInAnyCase) {
  EXPECT_EQ(find_model("GIN").name, "gin");
  EXPECT_EQ(find_model("2_WL_GNN").name, "2-wl-gnn");
  EXPECT_EQ(message_of([] { find_model("gim"); }),
            "needed a model 2-wl-gnn, 2-gnn, gin, gcn, sage, mlp, wl-st, wl-sp, 2-lwl, 2-gwl or 2-wl, found "
            "'gim'; did you "
            "mean gin?");
}

TEST(ModelTable, KnowsTheNamesThatPeopleType) {
  EXPECT_EQ(find_model("gin").find("batch-size")->name, "batch");
  EXPECT_EQ(find_model("gin").find("learning-rate")->name, "lr");
  EXPECT_EQ(find_model("gin").find("hidden")->name, "width");
  EXPECT_EQ(find_model("gin").find("radius"), nullptr);
}

TEST(ModelTable, RefusesAPlateauThatPatienceWouldForestall) {
  const Model& gin = find_model("gin");
  Config config = fallback_config(gin);
  config["schedule"] = "plateau";
  config["patience"] = 20;
  EXPECT_EQ(message_of([&] { settings_of(gin, config); }),
            "--plateau-patience: needed less than --patience 20, which would end the training before the rate "
            "falls, found 20");
  config["patience"] = 0;
  EXPECT_EQ(message_of([&] { settings_of(gin, config); }), "");
}

TEST(ModelTable, RefusesCombinationsThatAModelDoesNotHave) {
  const Model& gin = find_model("gin");
  Config config = fallback_config(gin);
  config["pooling"] = "weighted-mean";
  EXPECT_EQ(message_of([&] { settings_of(gin, config); }), "the model gin has no weighted mean (pooling)");
}

}  // namespace
}  // namespace twofold::model
