#include "cli/evaluate_worker.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/dataset_input.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"

namespace twofold::cli {
namespace {

// The limit is one for all processes: each worker gets an equal part of what this one leaves. A worker is the
// same program with the same dataset, so it needs at least what this one holds.
std::uint64_t memory_of_worker(const EvaluateOptions& options) {
  constexpr std::uint64_t kRoom = std::uint64_t{4} << 20;  // what either may grow by before it learns
  const auto jobs = static_cast<std::uint64_t>(options.jobs);
  const std::uint64_t held = used_memory() + kRoom;
  const std::uint64_t limit = memory_limit().value_or(resolve_memory_limit(options.max_memory) + held);
  require_memory(fmt::format("one process and {} workers that each read the dataset", jobs), (jobs + 1) * held,
                 limit);
  return (limit - held) / jobs;
}

}  // namespace

std::vector<std::string> worker_command(const EvaluateOptions& options) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                      "evaluate",
                                      options.dataset,
                                      "--model",
                                      options.model,
                                      "-o",
                                      options.output,
                                      "--worker"};
  const std::vector<std::string> molecules = molecule_words(options.molecules);
  command.insert(command.end(), molecules.begin(), molecules.end());
  if (!options.target.targets.empty())
    command.insert(command.end(), {"--target", fmt::format("{}", fmt::join(options.target.targets, ","))});
  if (!options.shard.empty()) command.insert(command.end(), {"--shard", options.shard});
  command.insert(command.end(), {"--max-memory", std::to_string(memory_of_worker(options))});
  return command;
}

}  // namespace twofold::cli
