#include "cli/turn_into_torch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "twofold/base/error.h"

namespace twofold::cli {

namespace {

// Where twofold-torch would lie; empty with `error` set if that cannot be told.
std::string torch_program(std::error_code& error) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "" : (self.parent_path() / "twofold-torch").string();
}

}  // namespace

std::string turn_into_torch(char** argv) {
  // Two intra-op threads make the small products of a training slower, and BLAS ignores libtorch's own setting.
  for (const char* variable : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"})
    setenv(variable, "1", 0);
  std::error_code error;
  const std::string program = torch_program(error);
  if (error) return "cannot find where this program lies: " + error.message();
  execv(program.c_str(), argv);
  return fmt::format("{}: {}", program, system_error_text(errno));
}

}  // namespace twofold::cli
