#include "cli/command_tree.h"
#include "cli/interrupts_at_start.h"
#include "cli/registry.h"

int main(int argc, char** argv) {
  using namespace twofold::cli;
  return run_main(with_descriptions(twofold_commands()), argc, argv);
}
