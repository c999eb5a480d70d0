#pragma once

#include <string>

#include "twofold/eval/run_folder.h"
#include "twofold/record/json_reader.h"

namespace twofold::eval {

// What `evaluate --blind` hides: test scores and predictions, mixed with random bytes that follow from a key in
// the run's folder seal/. This guards against looking, by accident or in a weak moment. It is no encryption:
// whoever has the folder has the key.

/// Makes a key unless the folder has one. Run folders of shards that are copied together have one per shard.
void make_seal(RunFolder& folder);

/// {"key": which one, "text": hexadecimal digits}. `name` is that of the place, so that equal contents look
/// different. The length tells little: contents are filled up to a multiple of 1024 bytes. Needs make_seal.
model::Config seal(const RunFolder& folder, const std::string& name, const model::Config& content);

/// The reverse. Throws InputError, telling nothing of the content, if the key is gone or of another run.
model::Config open_seal(const RunFolder& folder, const std::string& name, const record::JsonView& sealed);

}  // namespace twofold::eval
