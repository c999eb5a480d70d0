#pragma once

#include <memory>
#include <string>

#include "twofold/base/group.h"

namespace twofold {

/// The ranks of MPI, whose module is opened by the first call; once in a process. Throws Error telling
/// `purpose`, what is missing and how to get it; and where MPI does not see as many ranks as were started
/// together (`expected`), as where srun was not told which MPI to use.
///
/// When it goes, MPI is ended, unless a rank was lost.
std::unique_ptr<Group> start_mpi(const std::string& purpose, int expected);

}  // namespace twofold
