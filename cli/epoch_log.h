#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/train/trainer.h"

namespace twofold::cli {

/// A file with one line of JSON per epoch, each epoch once.
///
/// A log that can no longer be written (a full disk, a reader that has gone) ends no training: from then on
/// nothing is written, and trouble() says why.
class EpochLog {
 public:
  /// Empties `path` and writes the epochs that were done before. Throws Error if it cannot be opened.
  EpochLog(const std::string& path, bool is_regression, const std::vector<train::EpochRecord>& done);
  ~EpochLog();
  EpochLog(const EpochLog&) = delete;
  EpochLog& operator=(const EpochLog&) = delete;

  /// `member` of an ensemble, from 1; 0: there is none.
  void add(const train::EpochRecord& record, std::size_t member = 0);
  /// To be called after the last epoch: notices a file that was removed meanwhile.
  void close();
  /// Why the log is not whole; empty if it is.
  const std::string& trouble() const { return trouble_; }

 private:
  void write(const std::string& text);

  std::string path_;
  bool is_regression_;
  int descriptor_ = -1;
  bool is_regular_ = false;
  std::uint64_t size_ = 0;  // whole lines
  std::string trouble_;
};

}  // namespace twofold::cli
