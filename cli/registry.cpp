#include "cli/registry.h"

#include "cli/command_version.h"

namespace twofold::cli {

std::vector<Command> twofold_commands() {
  return {
      make_command("version", "Print the version", declare_version, run_version),
  };
}

}  // namespace twofold::cli
