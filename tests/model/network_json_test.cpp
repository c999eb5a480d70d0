#include "twofold/model/network_json.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/model/model_table.h"

namespace twofold::model {
namespace {

// A value other than the default for every option that has one.
Config other_value(const ModelOption& option) {
  switch (option.kind) {
    case OptionKind::kBool:
      return !option.fallback.get<bool>();
    case OptionKind::kInteger:
      return option.fallback.get<int>() + 1;
    case OptionKind::kReal:
      return option.fallback.get<double>() / 2 + 0.125;
    case OptionKind::kRadius:
      return "all";
    case OptionKind::kText:
      return "cuda:1";
    case OptionKind::kWord:
      for (const std::string& word : option.words)
        if (word != option.fallback) return word;
  }
  return nullptr;
}

template <typename F>
std::string message_of(const F& body) {
  try {
    body();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// As from a file.
LearnSettings read_again(const Config& json) { return network_from_json({Config::parse(json.dump()), "m"}); }

std::string refusal(const Config& json) {
  return message_of([&] { read_again(json); });
}

TEST(NetworkJson, HoldsEveryOptionOfEveryNetwork) {
  for (const Model& model : models()) {
    if (!model.is_network) continue;
    // Rows are pooled by kind, or loops alone: never both. Marks go with neither the radius all nor degrees.
    const std::vector<std::vector<std::string>> combinations = {
        {"loops-only", "marks"}, {"pool-by-kind", "marks"}, {"loops-only", "radius", "degrees"}};
    for (const std::vector<std::string>& left_out : combinations) {
      Config config = fallback_config(model);
      for (const ModelOption& option : model.options)
        if (std::find(left_out.begin(), left_out.end(), option.name) == left_out.end())
          config[option.name] = other_value(option);
      LearnSettings settings = settings_of(model, config);
      settings.model.task = TaskKind::kMultiClass;
      settings.model.outputs = 6;
      const LearnSettings read = read_again(network_json(settings));
      EXPECT_EQ(config_of(model, read), config) << model.name;
      EXPECT_EQ(read.model, settings.model);
    }
  }
}

TEST(NetworkJson, OfASimulatedNetworkHoldsItsFormsOfLayers) {
  LearnSettings settings;
  settings.model.layer_forms = parse_layer_forms("identity: 3 identity + 5000 relu; relu: 35 identity");
  settings.model.layers = 2;
  settings.model.width = 35;
  settings.model.jumping_knowledge = false;
  const Config json = network_json(settings);
  EXPECT_FALSE(json["options"].contains("layers"));
  EXPECT_EQ(read_again(json).model, settings.model);
  EXPECT_FALSE(network_json(LearnSettings()).contains("layer_forms"));
}

TEST(NetworkJson, RefusesWhatItDoesNotKnow) {
  const Config good = network_json(LearnSettings());
  EXPECT_EQ(refusal(good), "");
  Config json = good;
  json["layer"] = 3;
  EXPECT_NE(refusal(json).find("found 'layer'"), std::string::npos);
  json = good;
  json["options"]["layer"] = 3;
  EXPECT_NE(refusal(json).find("m: needed model options radius, layers,"), std::string::npos) << refusal(json);
  json = good;
  json["options"].erase("width");
  EXPECT_EQ(refusal(json), "m: options.width: needed an integer in 1..4096, found nothing");
  json = good;
  json["options"]["layers"] = "3";
  EXPECT_NE(refusal(json).find("options.layers: needed an integer in 1..64"), std::string::npos)
      << refusal(json);
  json = good;
  json["options"]["layers"] = 65;
  EXPECT_NE(refusal(json).find("needed an integer in 1..64"), std::string::npos);
  json = good;
  json["name"] = "gan";
  EXPECT_NE(refusal(json).find("2-wl-gnn, 2-gnn, gin,"), std::string::npos);
  json["name"] = "wl-st";
  EXPECT_NE(refusal(json).find("needed a network"), std::string::npos);
  json["name"] = 7;
  EXPECT_NE(refusal(json).find("needed a text"), std::string::npos);
  json = good;
  json["outputs"] = 2;
  EXPECT_NE(refusal(json).find("needed 1 output"), std::string::npos);
}

// Files and records of earlier days mean what was then, not what the fallback is now.
TEST(NetworkJson, OfBeforeAnOptionMeansWhatWasThen) {
  LearnSettings settings;
  settings.train.schedule = Schedule::kCosine;
  settings.train.average = 0.9;
  settings.train.stop_below = 0.5;
  Config json = network_json(settings);
  std::size_t num_newer = 0;
  for (const ModelOption& option : model_of(settings).options) {
    if (option.before.is_null()) continue;
    ++num_newer;
    json["options"].erase(option.name);
  }
  EXPECT_GE(num_newer, 8u);
  const LearnSettings read = read_again(json);
  EXPECT_EQ(read.train.schedule, Schedule::kConstant);
  EXPECT_EQ(read.train.adam.optimizer, Optimizer::kAdam);
  EXPECT_EQ(read.train.warmup, 0);
  EXPECT_EQ(read.train.average, 0);
  EXPECT_EQ(read.train.stop_below, 0);
  EXPECT_EQ(read.model, settings.model);
}

// As files of version 1 and 2 have it.
Config old_json() {
  return Config::parse(R"({"model":"gin","radius":"2","layers":5,"width":32,"activation":"relu",
    "inner_activation":"relu","indicators":true,"bias":true,"jumping_knowledge":false,"pooling":"max",
    "attention":"stack","loops_only":false,"head":"mlp","train_eps":true,"batch_norm":true,"dropout":0.25,
    "mlp_form":"deep-sets","node_attributes":true,"degree_features":true,"self_loops":true,"task":"multi-class",
    "outputs":6})");
}

TEST(NetworkJson, OfEarlierVersionsIsRead) {
  const LearnSettings read = network_from_old_json({old_json(), "m"});
  EXPECT_EQ(read.model.model, ModelKind::kGin);
  EXPECT_EQ(read.model.layers, 5);
  EXPECT_EQ(read.model.pooling, Pooling::kMax);
  EXPECT_TRUE(read.model.train_eps);
  EXPECT_TRUE(read.model.degree_features);
  EXPECT_EQ(read.model.dropout, 0.25);
  EXPECT_EQ(read.model.outputs, 6);
  // What gin does not have is as it was.
  EXPECT_FALSE(read.model.jumping_knowledge);

  Config pairs = old_json();
  pairs["model"] = "2-wl-gnn";
  pairs["pooling"] = "weighted-mean";
  pairs["dropout"] = 0;
  pairs["jumping_knowledge"] = true;
  const LearnSettings wl = network_from_old_json({pairs, "m"});
  EXPECT_EQ(wl.model.radius, pairs::Radius(2));
  EXPECT_EQ(wl.model.pooling, Pooling::kWeightedMean);
  EXPECT_TRUE(wl.model.jumping_knowledge);
}

TEST(NetworkJson, OfEarlierVersionsIsNotTrusted) {
  const auto refused = [](const char* key, const Config& value) {
    Config json = old_json();
    json[key] = value;
    return message_of([&] { network_from_old_json({json, "m"}); });
  };
  EXPECT_NE(refused("layer", 3).find("found 'layer'"), std::string::npos);
  EXPECT_NE(refused("layers", 99999).find("needed an integer in 1..64"), std::string::npos);
  EXPECT_NE(refused("radius", 2).find("needed a text"), std::string::npos);
  EXPECT_NE(refused("pooling", "weighted-mean").find("mean, sum, max, min"), std::string::npos);
  EXPECT_NE(refused("model", "gan"), "");
  EXPECT_NE(refused("task", "binary"), "");
}

}  // namespace
}  // namespace twofold::model
