#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twofold/model/config.h"
#include "twofold/record/record_file.h"

namespace twofold::eval {

/// `--shard INDEX/COUNT`, the index from 1: this process does only its part of the tasks.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};
/// `2/3`; throws UsageError for anything else.
Shard parse_shard(const std::string& text);

/// Something held until it is destroyed, or the process ends however it ends: the locks are the kernel's.
class Held {
 public:
  explicit Held(int descriptor, long byte = -1) : descriptor_(descriptor), byte_(byte) {}
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  int descriptor_;
  long byte_;  // of a claim; negative: the descriptor is closed instead
};

using RunLock = std::vector<std::unique_ptr<Held>>;

/// A folder with one evaluation in it:
///
///     run.json      what is evaluated: plan.h                  the same bytes for equal runs, whoever did
///     splits.json   the folds                                  which part of the work, and however often it
///     tasks/        a JSON a finished task                     was interrupted
///     twins.json    which graphs the model cannot tell apart
///     result.json   the answer, once all tasks are finished
///     predictions.csv   what was said of every tested graph
///     sealed.json   of a blind run: the test part of both, until someone reveals it; seal/ has the key, tasks/
///     the same revealed.json of a blind run: when it was opened failed/       a JSON a task that failed, with
///     the reason, until it is tried again timing/       how long, where, with how much memory: outside of that
///     promise cache/        what workers share meanwhile
///
/// Every file appears whole or not at all and is synced. Several processes may work in it at once: each task is
/// claimed by a byte of the file .claims, locked as long as its worker lives.
class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// Makes the folder and those within as far as they are missing. Throws Error.
  void create();
  /// Takes the whole folder, or for a shard of several the shard. Throws Error naming who holds it.
  RunLock lock(const Shard& shard);
  /// Removes files that a killed process left half-written. Needs the lock of the whole folder.
  void remove_leftovers();

  bool has(const std::string& name) const;
  /// Throws InputError if the file is no JSON object, or was changed since it was written
  /// (record/record_file.h).
  model::Config read(const std::string& name, record::Checksum checksum = record::Checksum::kIfThere) const;
  /// A JSON object with its checksum, whole or not at all, synced; on one line for a negative indent.
  void write(const std::string& name, const model::Config& content, int indent = -1);
  void write_text(const std::string& name, const std::string& text);
  void remove(const std::string& name);

  /// Whether a process is at the task at this moment. Takes nothing, and makes no file.
  bool is_claimed(std::size_t task) const;
  /// Null if another process has it.
  std::unique_ptr<Held> try_claim(std::size_t task);

 private:
  std::string path_;
  int claims_ = -1;
};

}  // namespace twofold::eval
