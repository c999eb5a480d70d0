#include "cli/command_reveal.h"

#include <fmt/ostream.h>

#include "cli/evaluate_print.h"
#include "cli/version.h"
#include "twofold/eval/reveal.h"
#include "twofold/eval/status.h"

namespace twofold::cli {

void declare_reveal(Options& flags, RevealOptions& options) {
  flags.add("RUN", options.run, "The run folder of an evaluation with --blind").required().type_name("");
  declare_json(flags, options.json);
  flags.footer(R"(
Opens the test scores and predictions that twofold evaluate --blind has sealed: RUN/result.json and RUN/predictions.csv
become what they are without --blind, and the scores are printed. How many runs of the same data and splits were
opened before is counted on this machine, in ~/.local/state/twofold/revealed.jsonl ($XDG_STATE_HOME is obeyed), and
noted in RUN/revealed.json: each look at test scores makes the next one worth less. A second time it says when the run
was opened, and prints the scores again.

Examples:
  twofold evaluate TRIANGLE --model wl-st --blind -o runs/blind
  twofold reveal runs/blind)");
}

int run_reveal(const RevealOptions& options, std::ostream& out, std::ostream& /*err*/) {
  eval::RunFolder folder(options.run);
  const eval::Plan plan = eval::read_plan(folder, version_number());
  const eval::Revealed revealed =
      eval::reveal(folder, plan, folder.has("revealed.json") || !plan.blind ? "" : eval::ledger_path());
  if (options.json) {
    const model::Config json = {{"run", options.run},
                                {"time", revealed.time},
                                {"before", revealed.before},
                                {"was_open", revealed.was_open},
                                {"result", revealed.result}};
    out << record::json_text(json) << '\n';
    return 0;
  }
  print_evaluation(plan, revealed.result, out);
  fmt::print(out, "\n{} on {}; {} of this data and these splits {} revealed before\n",
             revealed.was_open ? "was revealed" : "revealed", revealed.time,
             revealed.before == 1 ? "1 run" : fmt::format("{} runs", revealed.before),
             revealed.before == 1 ? "was" : "were");
  return 0;
}

}  // namespace twofold::cli
