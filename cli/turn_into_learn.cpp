#include "cli/turn_into_learn.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "twofold/base/error.h"

namespace twofold::cli {

namespace {

// Where twofold-learn would lie; empty with `error` set if that cannot be told.
std::string learn_program(std::error_code& error) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "" : (self.parent_path() / "twofold-learn").string();
}

}  // namespace

std::string turn_into_learn(char** argv) {
  // Two intra-op threads make the small products of a training slower, and BLAS ignores libtorch's own setting.
  for (const char* variable : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"})
    setenv(variable, "1", 0);
  std::error_code error;
  const std::string learn = learn_program(error);
  if (error) return "cannot find where this program lies: " + error.message();
  execv(learn.c_str(), argv);
  return fmt::format("this command needs {}: {}", learn, system_error_text(errno));
}

}  // namespace twofold::cli
