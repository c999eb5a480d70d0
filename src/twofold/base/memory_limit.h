#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace twofold {

/// What `--max-memory` promises: while an object of this class lives, the process holds no more than the limit,
/// everything counted that is its own: data, libraries, threads, freed memory that was not given back.
///
/// It works twice. resolve_memory_limit gives what is left of the limit, so that work is refused, with its
/// need, before it starts. What nobody foresaw meets the limit of the operating system (RLIMIT_DATA) and ends
/// in std::bad_alloc: out_of_memory_text says then what to tell. Processes started meanwhile inherit the
/// latter.
///
/// Objects nest; the innermost counts, and never allows more than those around it. Not for several threads.
class MemoryLimit {
 public:
  /// In bytes; 0: the limit around it, or if there is none nine tenths of available_memory, shared among the
  /// processes that mpirun or srun started on this machine together.
  /// `threads` are started before anything is limited: one that cannot start ends the process.
  /// Throws Error, naming both, if the process already holds more.
  explicit MemoryLimit(std::uint64_t max_memory, int threads = 1);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// Of all that the process may hold.
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  std::uint64_t outer_bytes_ = 0;
  std::uint64_t outer_system_limit_ = 0;
  bool has_system_limit_ = false;
};

/// Says that a file of so many bytes is mapped and will be read: as long as this lives, the limit of the
/// operating system, which counts data alone, is that much lower. Throws Error, naming need and limit, if there
/// is no room.
class MappedMemory {
 public:
  MappedMemory(const std::string& what, std::uint64_t bytes);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

 private:
  std::uint64_t lowered_by_ = 0;
};

/// The innermost limit that is in force, if any.
std::optional<std::uint64_t> memory_limit();

/// The whole limit where resolve_memory_limit has what is left of it: the same in every run, so for choices
/// that show in results.
std::uint64_t whole_memory_limit(std::uint64_t max_memory);

/// What this process holds now (its resident set).
std::uint64_t used_memory();

/// Gives freed memory back to the system, so that used_memory is about what is in use. Takes milliseconds at
/// gigabytes: for the end of a step, not for loops.
void return_free_memory();

/// Whether an exception means that memory ran out: std::bad_alloc, or libtorch's words for it.
bool is_out_of_memory(const std::exception& error);

/// `out of memory: more than the limit of 200 MiB is needed (--max-memory)`, of the last limit that was set.
std::string out_of_memory_text();

/// The least limit of the control group that `groups` (as /proc/self/cgroup) names and of those above it, in
/// versions 1 and 2 under `mount`; the largest number if there is none.
std::uint64_t control_group_limit(const std::string& groups = "/proc/self/cgroup",
                                  const std::string& mount = "/sys/fs/cgroup");

}  // namespace twofold
