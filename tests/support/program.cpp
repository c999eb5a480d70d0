#include "tests/support/program.h"

#include <sys/wait.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {

ProgramResult run_in_shell(const std::string& command, const std::string& folder) {
  const TemporaryFolder streams;
  const std::string script = streams.write("script", command);
  const std::string call = "cd '" + folder +
                           "' && TWOFOLD_TESTS='" TWOFOLD_SOURCE_DIR
                           "/tests' XDG_STATE_HOME=\"$PWD/.state\" PATH='" TWOFOLD_BINARY_DIR
                           "':\"$PATH\" "
                           // Two mpirun at a time take each other's folder away where they have a common one.
                           "OMPI_MCA_orte_tmpdir_base='" +
                           streams.path() + "' bash '" + script + "' < /dev/null > '" + streams.path("out") +
                           "' 2> '" + streams.path("err") + "'";
  const int status = std::system(call.c_str());
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(streams.path("out"));
  result.err = read_file(streams.path("err"));
  return result;
}

}  // namespace twofold::testing
