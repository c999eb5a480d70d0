#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twofold/io/text_scanner.h"

namespace twofold::io {

/// A text file read in chunks of whole lines, for files that are larger than the memory.
class TextChunks {
 public:
  /// A chunk has about `chunk_bytes`, unless a single line has more. Throws Error if the file cannot be read.
  TextChunks(const std::string& path, std::uint64_t chunk_bytes);
  ~TextChunks();
  TextChunks(const TextChunks&) = delete;
  TextChunks& operator=(const TextChunks&) = delete;

  /// The next chunk, in the order of the file; false after the last. Something that is not blank follows every
  /// chunk but the last, so blank lines at the end of the file are at the end of the last one.
  bool next(std::string& chunk);
  /// Whether the chunk that next() gave last is the last one.
  bool is_last() const { return at_end_; }
  /// Begins again with the first chunk.
  void rewind();
  /// Bytes of the file.
  std::uint64_t file_size() const { return file_size_; }

 private:
  std::string path_;
  std::uint64_t chunk_bytes_;
  std::uint64_t file_size_ = 0;
  std::FILE* file_ = nullptr;
  std::string unread_;  // read from the file and not handed out
  bool at_end_ = false;
};

/// The lines of a text, without their ends. Of the last text of a file blank lines at the end do not count.
std::vector<std::string_view> lines_of(std::string_view text, bool is_last = true);

/// The lines of a text, one after the other: of one that is in memory, or of a file that is read in chunks.
class LineScanner {
 public:
  LineScanner(std::string text, std::string source);
  LineScanner(std::unique_ptr<TextChunks> chunks, std::string source);
  LineScanner(const LineScanner&) = delete;
  LineScanner& operator=(const LineScanner&) = delete;

  /// True after the last line.
  bool at_end() {
    while (scan_.at_end() && has_more_) load();
    return scan_.at_end();
  }
  /// At the beginning of the next line, if there is one: ask at_end() before each.
  TextScanner& scan() { return scan_; }
  const std::string& source() const { return scan_.source(); }
  /// The line the next value stands on, from 1.
  std::size_t line() const { return scan_.line(); }
  /// Bytes of the text.
  std::uint64_t size() const { return chunks_ == nullptr ? text_.size() : chunks_->file_size(); }

 private:
  void load();

  std::unique_ptr<TextChunks> chunks_;
  std::string text_;
  bool has_more_ = false;
  TextScanner scan_;
};

}  // namespace twofold::io
