#include "cli/registry.h"

#include "cli/command_data_convert.h"
#include "cli/command_data_fetch.h"
#include "cli/command_data_info.h"
#include "cli/command_gram.h"
#include "cli/command_version.h"

namespace twofold::cli {

std::vector<Command> twofold_commands() {
  return {
      make_command("data info", "Statistics of datasets, the row of the paper's table", declare_data_info,
                   run_data_info),
      make_command("data convert", "Write a dataset in another format", declare_data_convert, run_data_convert),
      make_command("data fetch", "Download a dataset of the TU collection", declare_data_fetch, run_data_fetch),
      make_command("gram", "The Gram matrix of a graph kernel", declare_gram, run_gram),
      make_command("version", "Print the version", declare_version, run_version),
  };
}

}  // namespace twofold::cli
