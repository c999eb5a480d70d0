#include "twofold/eval/ranks.h"

#include <cctype>
#include <cstdlib>

namespace twofold::eval {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::optional<Rank> detect_rank() {
  const std::string mpi_rank = variable("OMPI_COMM_WORLD_RANK");
  if (!mpi_rank.empty()) {
    if (variable("OMPI_COMM_WORLD_SIZE") == "1") return std::nullopt;
    std::string session = variable("PMIX_NAMESPACE");
    if (session.empty()) session = variable("OMPI_MCA_ess_base_jobid");
    return Rank{mpi_rank == "0", "mpi " + session};
  }
  // A batch script itself has the job's variables too, but no numbered step.
  const std::string step = variable("SLURM_STEP_ID");
  if (step.empty() || std::isdigit(static_cast<unsigned char>(step[0])) == 0) return std::nullopt;
  if (variable("SLURM_STEP_NUM_TASKS") == "1") return std::nullopt;
  return Rank{variable("SLURM_PROCID") == "0", "slurm " + variable("SLURM_JOB_ID") + "." + step};
}

}  // namespace twofold::eval
