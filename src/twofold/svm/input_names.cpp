#include "twofold/svm/input_names.h"

#include <limits>

namespace twofold::svm {
namespace {

record::Json names_json(const LabelNames& names) {
  record::Json numbers = record::Json::array(), texts = record::Json::array();
  for (const auto& [label, name] : names) {
    numbers.push_back(label);
    texts.push_back(name);
  }
  return {{"labels", numbers}, {"names", texts}};
}

LabelNames names_from(const record::JsonView& fields) {
  const auto labels =
      fields.at("labels").integers(std::numeric_limits<Label>::min(), std::numeric_limits<Label>::max());
  const auto texts = fields.at("names").texts();
  if (labels.size() != texts.size()) fields.refuse("a name for each label", std::to_string(texts.size()));
  LabelNames names;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!names.emplace(static_cast<Label>(labels[i]), texts[i]).second)
      fields.refuse("each label once", std::to_string(labels[i]) + " twice");
  return names;
}

}  // namespace

record::Json input_names_json(const InputNames& names) {
  record::Json json = {{"nodes", names_json(names.nodes)}, {"edges", names_json(names.edges)}};
  if (!names.molecule_features.empty()) json["molecule_features"] = names.molecule_features;
  return json;
}

InputNames input_names_from(const record::JsonView& fields) {
  InputNames names;
  if (!fields.is_there()) return names;
  names.nodes = names_from(fields.at("nodes"));
  names.edges = names_from(fields.at("edges"));
  if (fields.at("molecule_features").is_there()) {
    names.molecule_features = fields.at("molecule_features").text();
    if (names.molecule_features != "simple" && names.molecule_features != "full" &&
        names.molecule_features != "rich" && names.molecule_features != "whole")
      fields.at("molecule_features").refuse("simple, full, rich or whole");
  }
  return names;
}

}  // namespace twofold::svm
