#pragma once

#include <cstddef>
#include <string>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"

namespace twofold::eval {

/// A blind run that is open.
struct Revealed {
  model::Config result;    // as result.json has it
  std::string time;        // when it was opened: `2026-05-01T12:00:00Z`
  std::size_t before = 0;  // runs of the same data and splits that were opened earlier
  bool was_open = false;   // by someone else, before this call
};

/// Where it is noted which runs were opened: twofold/revealed.jsonl in $XDG_STATE_HOME, or in ~/.local/state.
/// Throws Error if neither is known.
std::string ledger_path();

/// Opens a blind run whose tasks are all finished: writes result.json and predictions.csv as an evaluation that
/// is not blind does, to the byte, a line to the ledger, and revealed.json. Killed in between, the next call
/// ends it, and the run counts once. A run that is open already is only read.
///
/// Throws InputError for a run that is not blind or not finished, or a broken ledger (naming its line); Error
/// if the folder is in use or something cannot be written.
Revealed reveal(RunFolder& folder, const Plan& plan, const std::string& ledger);

}  // namespace twofold::eval
