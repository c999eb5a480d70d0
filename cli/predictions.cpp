#include "cli/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/json_text.h"
#include "twofold/base/csv.h"
#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(double value) { return std::isnan(value) ? ordered_json(nullptr) : ordered_json(value); }

std::string csv_word(const std::string& name) { return csv_cell(name); }

const std::string& class_name(const Predictions& all, const Prediction& one) {
  return all.classes.at(one.class_index.value());
}

std::string class_set_text(const Predictions& all, const Prediction& one) {
  std::string text;
  for (const std::uint32_t c : one.class_set) text += (text.empty() ? "" : "|") + all.classes.at(c);
  return text;
}

std::string lines(const Predictions& all, char separator, const char* number,
                  std::string (*word)(const std::string&)) {
  std::string text = "graph";
  const auto add_place = [&](std::size_t g) {
    if (all.items.empty()) {
      text += fmt::format("{}", all.first + g + 1);
      return;
    }
    text += fmt::format("{}{}{}", all.items[g].graph + 1, separator, all.items[g].u);
    if (all.is_of_links()) text += fmt::format("{}{}", separator, all.items[g].v);
  };
  const auto add = [&](const std::string& cell) {
    text += separator;
    text += cell;
  };
  const bool has_several = all.values.size() > 1;
  const bool has_unknown = all.some_have_unknown || all.has_unknown();
  if (all.is_of_links()) {
    add("u");
    add("v");
  } else if (!all.items.empty()) {
    add("node");
  }
  if (!all.ids.empty()) add("id");
  if (!all.smiles.empty()) add("smiles");
  if (all.has_classes()) add("class");
  for (const std::string& name : all.classes) add(word("score:" + name));
  const std::string what = all.are_probabilities ? "probability" : "value";
  for (const std::string& name : all.values) add(has_several ? word(what + ":" + name) : what);
  for (std::size_t c = 0; all.has_spread() && c < all.graphs[0].spread.size(); ++c)
    add(has_several ? word("spread:" + all.values[c]) : "spread");
  for (std::size_t c = 0; all.has_intervals() && c < all.values.size(); ++c)
    for (const char* end : {"low", "high"})
      add(has_several ? word(fmt::format("{}:{}", end, all.values[c])) : end);
  if (all.level > 0 && all.has_classes()) add("classes");
  if (!all.true_classes.empty()) add("true");
  for (std::size_t c = 0; !all.true_values.empty() && c < all.values.size(); ++c)
    add(has_several ? word("true:" + all.values[c]) : "true");
  if (has_unknown) add("unknown");
  text += '\n';
  if (all.first > 0) text.clear();
  for (std::size_t g = 0; g < all.graphs.size(); ++g) {
    const Prediction& one = all.graphs[g];
    add_place(g);
    if (!all.ids.empty()) add(word(all.ids[g]));
    if (!all.smiles.empty()) add(word(all.smiles[g]));
    if (one.class_index) add(word(class_name(all, one)));
    for (const double score : one.scores) add(fmt::format(fmt::runtime(number), score));
    for (const double spread : one.spread) add(fmt::format(fmt::runtime(number), spread));
    for (const double end : one.interval) add(fmt::format(fmt::runtime(number), end));
    if (all.level > 0 && all.has_classes()) add(word(class_set_text(all, one)));
    if (!all.true_classes.empty()) add(word(all.true_classes[g]));
    for (std::size_t c = 0; !all.true_values.empty() && c < all.values.size(); ++c) {
      const double value = all.true_values[g * all.values.size() + c];
      add(!std::isnan(value) ? fmt::format(fmt::runtime(number), value) : separator == ',' ? "" : "-");
    }
    if (has_unknown) add(word(one.unknown));
    text += '\n';
  }
  return text;
}

ordered_json prediction_json(const Predictions& all, std::size_t g) {
  const Prediction& one = all.graphs[g];
  ordered_json json = {{"graph", all.first + g + 1}};
  if (!all.items.empty()) {
    const Item item = all.items[g];
    json = {{"graph", item.graph + 1}};
    if (all.is_of_links())
      json["pair"] = {item.u, item.v};
    else
      json["node"] = item.u;
  }
  if (!all.ids.empty()) json["id"] = all.ids[g];
  if (!all.smiles.empty()) json["smiles"] = all.smiles[g];
  if (one.class_index) {
    json["class"] = class_name(all, one);
    json["scores"] = one.scores;
    if (!one.spread.empty()) json["spread"] = one.spread[0];
    if (all.level > 0) {
      json["classes"] = ordered_json::array();
      for (const std::uint32_t c : one.class_set) json["classes"].push_back(all.classes.at(c));
    }
    if (!all.true_classes.empty()) json["true_class"] = all.true_classes[g];
  } else {
    const auto add = [&](const char* key, const char* several, const double* values) {
      for (std::size_t c = 0; all.values.size() > 1 && c < all.values.size(); ++c)
        json[several][all.values[c]] = or_null(values[c]);
      if (all.values.size() == 1) json[key] = or_null(values[0]);
    };
    if (all.are_probabilities)
      add("probability", "probabilities", one.scores.data());
    else
      add("value", "values", one.scores.data());
    if (!one.spread.empty()) {
      if (one.spread.size() == 1) json["spread"] = one.spread[0];
      for (std::size_t c = 0; one.spread.size() > 1 && c < one.spread.size(); ++c)
        json["spreads"][all.values[c]] = one.spread[c];
    }
    for (std::size_t c = 0; 2 * c + 1 < one.interval.size(); ++c) {
      const auto end = [](double value) {
        return std::isinf(value) ? ordered_json(nullptr) : ordered_json(value);
      };
      const ordered_json ends = ordered_json::array({end(one.interval[2 * c]), end(one.interval[2 * c + 1])});
      if (all.values.size() == 1)
        json["interval"] = ends;
      else
        json["intervals"][all.values[c]] = ends;
    }
    if (!all.true_values.empty()) add("true_value", "true_values", &all.true_values[g * all.values.size()]);
  }
  if (!one.unknown.empty()) json["unknown"] = one.unknown;
  return json;
}

// Each line says for itself which class a score is of.
std::string json_lines(const Predictions& all) {
  std::string text;
  for (std::size_t g = 0; g < all.graphs.size(); ++g) {
    ordered_json json = prediction_json(all, g);
    if (all.has_classes()) {
      ordered_json scores = ordered_json::object();
      for (std::size_t c = 0; c < all.classes.size(); ++c) scores[all.classes[c]] = all.graphs[g].scores.at(c);
      json["scores"] = scores;
    }
    text += json_text(json) + '\n';
  }
  return text;
}

}  // namespace

bool Predictions::has_unknown() const {
  return std::any_of(graphs.begin(), graphs.end(), [](const Prediction& one) { return !one.unknown.empty(); });
}

PredictionFormat prediction_format(const std::string& path) {
  const auto ends_with = [&](const std::string& end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with(".csv")) return PredictionFormat::kCsv;
  if (ends_with(".json")) return PredictionFormat::kJson;
  if (ends_with(".jsonl")) return PredictionFormat::kJsonLines;
  if (ends_with(".txt")) return PredictionFormat::kText;
  throw UsageError(fmt::format("needed an output file .csv, .json, .jsonl or .txt, found {}", in_quotes(path)));
}

ordered_json predictions_json(const Predictions& predictions) {
  ordered_json json = ordered_json::object();
  if (predictions.has_classes()) json["classes"] = predictions.classes;
  json["predictions"] = ordered_json::array();
  for (std::size_t g = 0; g < predictions.graphs.size(); ++g)
    json["predictions"].push_back(prediction_json(predictions, g));
  return json;
}

std::string format_predictions(const Predictions& predictions, PredictionFormat format) {
  switch (format) {
    case PredictionFormat::kText:
      return lines(predictions, ' ', "{:.6g}", plain_word);
    case PredictionFormat::kCsv:
      return lines(predictions, ',', "{}", csv_word);
    case PredictionFormat::kJson:
      return json_text(predictions_json(predictions)) + '\n';
    case PredictionFormat::kJsonLines:
      return json_lines(predictions);
  }
  return "";
}

std::string plain_word(const std::string& name) {
  const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\\' && c != 0x7f;
  });
  return is_plain ? name : json_text(ordered_json(name));
}

}  // namespace twofold::cli
