#include "twofold/io/text_chunks.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/interrupt.h"

namespace twofold::io {

TextChunks::TextChunks(const std::string& path, std::uint64_t chunk_bytes)
    : path_(path), chunk_bytes_(std::max<std::uint64_t>(chunk_bytes, 1)) {
  file_ = std::fopen(path.c_str(), "re");
  if (file_ == nullptr) throw FileError("open", path, errno);
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  if (!failed) file_size_ = size;
}

TextChunks::~TextChunks() { std::fclose(file_); }

void TextChunks::rewind() {
  std::rewind(file_);
  unread_.clear();
  at_end_ = false;
}

bool TextChunks::next(std::string& chunk) {
  check_interrupt();
  chunk.clear();
  if (at_end_) return false;
  for (;;) {
    // As much again of a line that is longer, so that its end is looked for a few times only.
    const std::size_t before = unread_.size(), more = std::max<std::size_t>(chunk_bytes_, before);
    unread_.resize(before + more);
    unread_.resize(before + std::fread(unread_.data() + before, 1, more, file_));
    if (std::ferror(file_) != 0) throw FileError("read", path_, errno);
    if (unread_.size() == before) {
      at_end_ = true;
      chunk = std::exchange(unread_, {});
      return true;
    }
    // Up to the last line that has something after it.
    const std::size_t last = unread_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) continue;
    const std::size_t end = unread_.rfind('\n', last);
    if (end == std::string::npos) continue;
    chunk.assign(unread_, 0, end + 1);
    unread_.erase(0, end + 1);
    return true;
  }
}

std::vector<std::string_view> lines_of(std::string_view text, bool is_last) {
  std::vector<std::string_view> lines;
  while (is_last && !text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

LineScanner::LineScanner(std::string text, std::string source)
    : text_(std::move(text)), scan_(text_, std::move(source)) {}

LineScanner::LineScanner(std::unique_ptr<TextChunks> chunks, std::string source)
    : chunks_(std::move(chunks)), has_more_(true), scan_(text_, std::move(source)) {}

void LineScanner::load() {
  const std::size_t line = scan_.line();
  chunks_->next(text_);
  has_more_ = !chunks_->is_last();
  scan_ = TextScanner(text_, scan_.source(), line, !has_more_);
}

}  // namespace twofold::io
