#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/work.h"

namespace twofold::eval {

struct WorkersOptions {
  int jobs = 2;
  /// What a worker is started as: a program and its arguments, such that it calls report_to_parent and work().
  std::vector<std::string> command;
  /// What the workers do. May be empty.
  std::function<void(const WorkEvent&)> on_event;
  /// Called several times a second. May be empty.
  std::function<void()> on_tick;
};

/// Starts that many processes that share the tasks of a run, and waits for them.
///
/// Started by posix_spawn. A worker that dies in a task makes it a failed one and is replaced. Throws Error,
/// after ending the others, if a worker cannot be started or cannot go on (a full disk, data that is gone).
void run_workers(const Plan& plan, RunFolder& folder, const WorkersOptions& options);

/// In a worker: sees to it that this process ends with its parent, and gives what work() is to call. Standard
/// output belongs to the parent from here on.
std::function<void(const WorkEvent&)> report_to_parent();
/// In a worker that cannot go on: tells the parent why.
void report_fatal(const std::string& reason);

}  // namespace twofold::eval
