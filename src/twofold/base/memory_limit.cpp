#include "twofold/base/memory_limit.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"

namespace twofold {
namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

// 0: none. The last one outlives its object, for the words about an exception that left it.
std::atomic<std::uint64_t> limit_in_force{0};
std::atomic<std::uint64_t> last_limit{0};

// Pages of the program and its libraries that are read in later are no data, so the system's limit on data does
// not see them, nor the main stack. Measured: training reads 12 MiB of libtorch after its start, without it up
// to 5 MiB (newer kernels read more pages at a time).
constexpr std::uint64_t kLeastRoom = std::uint64_t{6} << 20;
std::uint64_t room_for_code(std::uint64_t shared) { return std::max(kLeastRoom, shared / 8); }

struct Held {
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;  // of these: mapped from files
  std::uint64_t data = 0;    // what RLIMIT_DATA counts (and the main stack)
};

Held read_held() {
  Held held;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return held;
  unsigned long long size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  const int got =
      std::fscanf(file, "%llu %llu %llu %llu %llu %llu", &size, &resident, &shared, &text, &library, &data);
  std::fclose(file);
  if (got < 6) return held;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  return {resident * page, shared * page, data * page};
}

std::uint64_t read_number(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : kNone;  // "max" is no number
}

// Of a group and all above it. Where a container sees only its own part of the tree, the path may not be there;
// its end, the root of what is mounted, is.
std::uint64_t least_limit(const std::string& tree, std::string path, const char* file) {
  std::uint64_t least = kNone;
  for (;;) {
    while (!path.empty() && path.back() == '/') path.pop_back();
    least = std::min(least, read_number(tree + path + "/" + file));
    if (path.empty()) return least;
    path.erase(path.find_last_of('/'));
  }
}

// Ranks of Open MPI, MPICH or a numbered step of Slurm ("4(x2),3": the first number will do), at least 1.
std::uint64_t processes_started_together() {
  const char* step = std::getenv("SLURM_STEP_ID");
  const bool is_step = step != nullptr && std::isdigit(static_cast<unsigned char>(step[0])) != 0;
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || (std::string_view(name).substr(0, 5) == "SLURM" && !is_step)) continue;
    return std::max<std::uint64_t>(1, std::strtoull(value, nullptr, 10));
  }
  return 1;
}

std::uint64_t default_limit() { return available_memory() / 10 * 9 / processes_started_together(); }

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t max_memory, int threads) : outer_bytes_(limit_in_force) {
  bytes_ = max_memory > 0 ? max_memory : outer_bytes_ > 0 ? outer_bytes_ : default_limit();
  if (outer_bytes_ > 0) bytes_ = std::min(bytes_, outer_bytes_);
  parallel_for(static_cast<std::size_t>(resolve_threads(threads)), threads, [](std::size_t) {});
  const Held held = read_held();
  const std::uint64_t least = held.resident + room_for_code(held.shared);
  if (least > bytes_)
    throw MemoryError(fmt::format("needs at least {} of memory, the limit is {} (--max-memory)",
                                  format_bytes(least), format_bytes(bytes_)));
  rlimit now{};
  if (held.resident > 0 && getrlimit(RLIMIT_DATA, &now) == 0) {
    outer_system_limit_ = now.rlim_cur;
    now.rlim_cur = std::min<rlim_t>(now.rlim_cur, held.data + (bytes_ - least));
    has_system_limit_ = setrlimit(RLIMIT_DATA, &now) == 0;
  }
  limit_in_force = bytes_;
  last_limit = bytes_;
}

MemoryLimit::~MemoryLimit() {
  limit_in_force = outer_bytes_;
  rlimit now{};
  if (!has_system_limit_ || getrlimit(RLIMIT_DATA, &now) != 0) return;
  now.rlim_cur = outer_system_limit_;
  setrlimit(RLIMIT_DATA, &now);
}

MappedMemory::MappedMemory(const std::string& what, std::uint64_t bytes) {
  if (limit_in_force == 0) return;
  require_memory(what, bytes, resolve_memory_limit(0));
  rlimit now{};
  if (getrlimit(RLIMIT_DATA, &now) != 0 || now.rlim_cur == RLIM_INFINITY || now.rlim_cur <= bytes) return;
  now.rlim_cur -= bytes;
  if (setrlimit(RLIMIT_DATA, &now) == 0) lowered_by_ = bytes;
}

MappedMemory::~MappedMemory() {
  rlimit now{};
  if (lowered_by_ == 0 || getrlimit(RLIMIT_DATA, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return;
  now.rlim_cur += lowered_by_;
  setrlimit(RLIMIT_DATA, &now);
}

std::optional<std::uint64_t> memory_limit() {
  const std::uint64_t bytes = limit_in_force;
  if (bytes == 0) return std::nullopt;
  return bytes;
}

std::uint64_t whole_memory_limit(std::uint64_t max_memory) {
  const std::uint64_t whole = memory_limit().value_or(available_memory() / 10 * 9);
  return max_memory > 0 ? std::min(max_memory, whole) : whole;
}

std::uint64_t used_memory() { return read_held().resident; }

void return_free_memory() { malloc_trim(0); }

bool is_out_of_memory(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         std::string_view(error.what()).find("DefaultCPUAllocator: ") != std::string_view::npos;
}

std::string out_of_memory_text() {
  const std::uint64_t bytes = last_limit;
  if (bytes == 0) return "out of memory";
  return fmt::format("out of memory: more than the limit of {} is needed (--max-memory)", format_bytes(bytes));
}

std::uint64_t control_group_limit(const std::string& groups, const std::string& mount) {
  std::uint64_t least =
      std::min(read_number(mount + "/memory.max"), read_number(mount + "/memory/memory.limit_in_bytes"));
  std::ifstream file(groups);
  // NUMBER:CONTROLLERS:PATH, the number 0 and no controllers in version 2.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, least_limit(mount, path, "memory.max"));
    else if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, least_limit(mount + "/memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace twofold
