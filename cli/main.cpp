#include "cli/interrupts_at_start.h"
#include "cli/registry.h"

int main(int argc, char** argv) { return twofold::cli::run_main(twofold::cli::twofold_commands(), argc, argv); }
