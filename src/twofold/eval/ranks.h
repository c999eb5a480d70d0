#pragma once

#include <optional>
#include <string>

namespace twofold::eval {

/// One of the processes that mpirun or srun started together.
struct Rank {
  /// Rank 0 leads: it prepares the run folder and prints the answer; the others only work.
  bool leads = false;
  /// The same for all that were started together, different from all others.
  std::string session;
};

/// From the environment that Open MPI's mpirun and Slurm's srun set; nothing if neither started this process.
///
/// No message passing is needed, hence no MPI library: ranks share tasks through the run folder, whose locks
/// work between machines on file systems that support them (NFS, Lustre mounted with flock, GPFS).
std::optional<Rank> detect_rank();

/// How many processes were started together, this one among them: by mpirun any number from 1 on, by srun 2 or
/// more (one task of srun is a process like any other); 0 if neither started this process.
int started_together();

}  // namespace twofold::eval
