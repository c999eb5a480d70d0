#pragma once

#include "twofold/model/config.h"
#include "twofold/model/learn_settings.h"
#include "twofold/record/json_reader.h"

namespace twofold::model {

/// A network as model files have it: {"name", "options": every option of the model, "task", "outputs"}. One
/// with forms of layers has these as "layer_forms", and no options that they stand for.
Config network_json(const LearnSettings& settings);

/// The reverse. Throws InputError naming place, need and found for anything else: an unknown key is refused
/// with the known ones. Nothing in it is trusted.
LearnSettings network_from_json(const record::JsonView& json);

/// The same of model files up to version 2, which have one object with a key for every field of ModelOptions.
LearnSettings network_from_old_json(const record::JsonView& json);

/// One line for people.
std::string describe(const ModelOptions& options);

}  // namespace twofold::model
