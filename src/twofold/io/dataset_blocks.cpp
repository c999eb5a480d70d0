#include "twofold/io/dataset_blocks.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/base/parallel.h"
#include "twofold/io/dataset_file.h"

namespace twofold::io {
namespace {

// Measured on molecules with labels: 6.9 bytes of memory for a byte of text while it is read whole.
constexpr std::uint64_t kBytesPerTextByte = 8;
constexpr std::uint64_t kLeastBlock = std::uint64_t{128} << 10, kMostBlock = std::uint64_t{8} << 20;

bool is_blank(const std::string& line) { return line.find_first_not_of(" \r") == std::string::npos; }

}  // namespace

bool DatasetBlocks::suits(const std::string& path, std::uint64_t max_memory) {
  std::error_code failed;
  if (path == "-" || path == "TRIANGLE" || !std::filesystem::is_regular_file(path, failed)) return false;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  if (failed || size <= resolve_memory_limit(max_memory) / kBytesPerTextByte) return false;
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return false;
  std::string start(4096, '\0');
  start.resize(std::fread(start.data(), 1, start.size(), file));
  std::fclose(file);
  return is_json_lines(start, path);
}

DatasetBlocks::DatasetBlocks(const std::string& path, const BlocksOptions& options)
    : path_(path),
      options_(options),
      block_bytes_(options.block_bytes > 0
                       ? options.block_bytes
                       : std::clamp(resolve_memory_limit(options.max_memory) / 64, kLeastBlock, kMostBlock)),
      frame_(path) {
  file_ = std::fopen(path.c_str(), "re");
  if (file_ == nullptr) throw Error(fmt::format("cannot open {}: {}", path, system_error_text(errno)));
  try {
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(path, failed);
    std::vector<JsonLine> lines;
    while (read_lines(lines)) {
      for (const JsonLine& line : lines) frame_.add(line);
      if (options_.progress)
        options_.progress(static_cast<std::uint64_t>(std::max(0L, std::ftell(file_))), failed ? 0 : size);
    }
    frame_.finish();
    if (frame_.num_lines() == 0) throw_input_error(path, 0, "at least one graph", "none");
    if (frame_.has_items())
      throw InputError(fmt::format(
          "{}: targets of nodes and pairs and sparse features are read together with all graphs: "
          "needed about {} of memory, the limit is {} (--max-memory)",
          path, format_bytes(kBytesPerTextByte * size), format_bytes(whole_memory_limit(options.max_memory))));
  } catch (...) {
    std::fclose(file_);
    throw;
  }
  empty_ = frame_.empty_dataset();
  empty_.name = dataset_name(path);
  rewind();
}

DatasetBlocks::~DatasetBlocks() {
  if (file_ != nullptr) std::fclose(file_);
}

void DatasetBlocks::rewind() {
  std::rewind(file_);
  unread_.clear();
  blank_lines_ = line_ = first_ = 0;
  at_end_ = false;
}

// False if there are no more. Blank lines at the end do not count.
bool DatasetBlocks::read_texts(std::vector<std::string>& texts) {
  texts.clear();
  std::string buffer;
  const auto add = [&](std::string line) {
    if (is_blank(line)) {
      ++blank_lines_;
      return;
    }
    for (; blank_lines_ > 0; --blank_lines_) texts.emplace_back();  // the line that follows makes them wrong
    texts.push_back(std::move(line));
  };
  while (texts.empty() && !at_end_) {
    buffer.resize(block_bytes_);
    buffer.resize(std::fread(buffer.data(), 1, buffer.size(), file_));
    if (std::ferror(file_) != 0)
      throw Error(fmt::format("cannot read {}: {}", path_, system_error_text(errno)));
    at_end_ = buffer.empty();
    std::size_t begin = 0;
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n', begin)) {
      unread_.append(buffer, begin, end - begin);
      add(std::exchange(unread_, {}));
      begin = end + 1;
    }
    unread_.append(buffer, begin);
    if (at_end_ && !unread_.empty()) add(std::exchange(unread_, {}));
  }
  return !texts.empty();
}

bool DatasetBlocks::read_lines(std::vector<JsonLine>& lines) {
  check_interrupt();
  std::vector<std::string> texts;
  if (!read_texts(texts)) return false;
  lines.clear();
  lines.resize(texts.size());
  std::atomic<std::int64_t> nodes_left{static_cast<std::int64_t>(ReadLimits().max_nodes)};
  parallel_for(texts.size(), options_.threads, [&](std::size_t i) {
    lines[i] = read_json_line(texts[i], path_, line_ + i + 1, nodes_left, {});
  });
  line_ += texts.size();
  return true;
}

bool DatasetBlocks::next(Dataset& block) {
  first_ = line_;
  block = {};
  std::vector<JsonLine> lines;
  if (!read_lines(lines)) {
    if (line_ != frame_.num_lines())
      throw InputError(fmt::format("{} changed while it was read: needed {} graphs, found {}", path_,
                                   frame_.num_lines(), line_));
    return false;
  }
  if (line_ > frame_.num_lines())
    throw InputError(
        fmt::format("{} changed while it was read: needed {} graphs, found more", path_, frame_.num_lines()));
  try {
    block = frame_.dataset_of(lines);
  } catch (const std::out_of_range&) {
    throw InputError(
        fmt::format("{} changed while it was read: needed the classes and labels of before, found "
                    "another",
                    path_));
  }
  block.name = empty_.name;
  return true;
}

}  // namespace twofold::io
