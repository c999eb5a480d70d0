#include "twofold/eval/ranks.h"

#include <cctype>
#include <cstdlib>

namespace twofold::eval {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int number_of(const char* name) { return std::atoi(variable(name).c_str()); }

// A batch script itself has the job's variables too, but no numbered step.
bool is_slurm_step() {
  const std::string step = variable("SLURM_STEP_ID");
  return !step.empty() && std::isdigit(static_cast<unsigned char>(step[0])) != 0;
}

}  // namespace

int started_together() {
  if (!variable("OMPI_COMM_WORLD_RANK").empty()) return number_of("OMPI_COMM_WORLD_SIZE");
  const int tasks = is_slurm_step() ? number_of("SLURM_STEP_NUM_TASKS") : 0;
  return tasks > 1 ? tasks : 0;
}

std::optional<Rank> detect_rank() {
  const std::string mpi_rank = variable("OMPI_COMM_WORLD_RANK");
  if (!mpi_rank.empty()) {
    if (variable("OMPI_COMM_WORLD_SIZE") == "1") return std::nullopt;
    std::string session = variable("PMIX_NAMESPACE");
    if (session.empty()) session = variable("OMPI_MCA_ess_base_jobid");
    return Rank{mpi_rank == "0", "mpi " + session};
  }
  if (!is_slurm_step() || variable("SLURM_STEP_NUM_TASKS") == "1") return std::nullopt;
  return Rank{variable("SLURM_PROCID") == "0",
              "slurm " + variable("SLURM_JOB_ID") + "." + variable("SLURM_STEP_ID")};
}

}  // namespace twofold::eval
