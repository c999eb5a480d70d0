#include "cli/command.h"
#include "cli/learn/command_version_verbose.h"
#include "cli/learn/learner_factories.h"

int main(int argc, char** argv) {
  using namespace twofold::cli;
  return run_main({make_command("evaluate", "How good a learner is, by nested cross-validation",
                                declare_evaluate, run_evaluate_learn),
                   make_command("version", "Print the version", declare_version, run_version_verbose)},
                  argc, argv);
}
