#pragma once

#include <nlohmann/json.hpp>

namespace twofold::model {

/// A configuration of a learner: a JSON object with every option of its model (model_options.h), resolved, in
/// the model's order. Two configurations are the same iff their texts are.
using Config = nlohmann::ordered_json;

}  // namespace twofold::model
