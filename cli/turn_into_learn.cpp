#include "cli/turn_into_learn.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "twofold/base/error.h"

namespace twofold::cli {

std::string turn_into_learn(char** argv) {
  // Two intra-op threads make the small products of a training slower, and BLAS ignores libtorch's own setting.
  for (const char* variable : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"})
    setenv(variable, "1", 0);
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "cannot find where this program lies: " + error.message();
  const std::string learn = (self.parent_path() / "twofold-learn").string();
  execv(learn.c_str(), argv);
  return fmt::format("this command needs {}: {}", learn, system_error_text(errno));
}

}  // namespace twofold::cli
