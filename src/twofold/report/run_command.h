#pragma once

#include <string>

#include "twofold/report/run_view.h"

namespace twofold::report {

/// A word as a shell takes it: as it is, or between single quotes.
std::string shell_word(const std::string& text);

/// `twofold evaluate …`, as it gives this run again in another folder (`output`; empty: again/NAME), from its
/// record alone: data and files as they were given. What the record does not tell is said behind a `#`.
std::string evaluate_command(const RunView& run, const std::string& output = "");

/// `iterations=3 penalty=0.01`: the options of `config` in which the configurations of the run's grid differ,
/// or, for `common`, those in which they do not.
std::string describe_options(const RunView& run, const record::Json& config, bool common);

}  // namespace twofold::report
