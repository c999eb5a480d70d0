#pragma once

#include "twofold/graph/label_names.h"
#include "twofold/record/json_reader.h"

namespace twofold::svm {

/// As model files of either kind have them.
record::Json input_names_json(const InputNames& names);
/// The reverse; nothing there gives none. Throws InputError naming the place for anything else.
InputNames input_names_from(const record::JsonView& fields);

}  // namespace twofold::svm
