#include "cli/command.h"
#include "cli/learn/command_version_verbose.h"

int main(int argc, char** argv) {
  using namespace twofold::cli;
  return run_main({make_command("version", "Print the version", declare_version, run_version_verbose)}, argc,
                  argv);
}
