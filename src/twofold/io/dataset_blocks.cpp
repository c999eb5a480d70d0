#include "twofold/io/dataset_blocks.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph_folder.h"

namespace twofold::io {
namespace {

constexpr std::uint64_t kLeastBlock = std::uint64_t{128} << 10, kMostBlock = std::uint64_t{8} << 20;

// What there is to read in blocks.
struct Found {
  Format format = Format::kJsonLines;
  // What the graphs would take if they were read whole, about.
  std::uint64_t memory = 0;
  // Of memory for a byte of text.
  std::uint64_t per_byte = 1;
};

std::optional<Found> look_at_folder(const std::string& path) {
  // Measured on molecules with labels: 1.9 bytes of memory for a byte of text while it is read whole.
  constexpr std::uint64_t kPerByte = 3;
  std::error_code failed;
  if (is_graph_folder(path)) return std::nullopt;
  std::uint64_t size = 0;
  for (std::filesystem::directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code ignored;
    if (entry->path().extension() != ".txt") continue;
    const std::uint64_t more = std::filesystem::file_size(entry->path(), ignored);
    if (!ignored) size += more;
  }
  if (failed) return std::nullopt;
  return Found{Format::kTu, kPerByte * size, kPerByte};
}

std::optional<Found> look_at(const std::string& path) {
  std::error_code failed;
  if (path == "-" || path == "TRIANGLE") return std::nullopt;
  if (std::filesystem::is_directory(path, failed)) return look_at_folder(path);
  if (!std::filesystem::is_regular_file(path, failed)) return std::nullopt;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  std::FILE* file = failed ? nullptr : std::fopen(path.c_str(), "re");
  if (file == nullptr) return std::nullopt;
  std::string start(4096, '\0');
  start.resize(std::fread(start.data(), 1, start.size(), file));
  std::fclose(file);
  const std::optional<Format> format = format_of_text(start, path);
  if (!format) return std::nullopt;
  // Measured on molecules with labels: 6.9 bytes of memory for a byte of text while it is read whole.
  if (*format == Format::kJsonLines) return Found{*format, 8 * size, 8};
  // A byte has up to six edges, of 8 bytes each; a graph takes its own bytes besides. Measured on molecules: 20
  // bytes of memory for a byte of text, where this gives 45.
  const auto lines = static_cast<std::uint64_t>(std::count(start.begin(), start.end(), '\n'));
  const std::uint64_t per_byte = 32 + 500 * lines / std::max<std::uint64_t>(start.size(), 1);
  return Found{*format, per_byte * size, per_byte};
}

}  // namespace

bool DatasetBlocks::suits(const std::string& path, std::uint64_t max_memory) {
  const std::optional<Found> found = look_at(path);
  return found && found->memory > resolve_memory_limit(max_memory);
}

DatasetBlocks::DatasetBlocks(const std::string& path, const BlocksOptions& options) : path_(path) {
  const Found found = look_at(path).value_or(Found{});
  memory_ = found.memory;
  BlockSourceOptions how;
  how.threads = options.threads;
  how.block_bytes = options.block_bytes;
  // An eighth of what is left for the graphs of a block: what is made of them takes more.
  if (how.block_bytes == 0)
    how.block_bytes = std::clamp(resolve_memory_limit(options.max_memory) / 8 / found.per_byte,
                                 std::min(kLeastBlock, 8 * kLeastBlock / found.per_byte), kMostBlock);
  source_ = found.format == Format::kTu          ? tu_blocks(path, how)
            : found.format == Format::kJsonLines ? json_blocks(path, how)
                                                 : graph6_blocks(path, how);
  if (!frame().numbered_together.empty())
    throw InputError(fmt::format(
        "{}: {} are read together with all graphs: needed about {} of memory, the limit is {} (--max-memory)",
        path, frame().numbered_together, format_bytes(memory_),
        format_bytes(whole_memory_limit(options.max_memory))));
  if (num_graphs() == 0) throw_input_error(path, 0, "at least one graph", "none");
}

void DatasetBlocks::rewind() {
  source_->rewind();
  first_ = done_ = 0;
}

bool DatasetBlocks::next(Dataset& block) {
  first_ = done_;
  do {
    block = {};
    if (!source_->next(block)) {
      if (done_ != num_graphs())
        throw InputError(fmt::format("{} changed while it was read: needed {} graphs, found {}", path_,
                                     num_graphs(), done_));
      return false;
    }
    // A line may be a header alone.
  } while (block.graphs.empty());
  done_ += block.graphs.size();
  if (done_ > num_graphs())
    throw InputError(
        fmt::format("{} changed while it was read: needed {} graphs, found more", path_, num_graphs()));
  block.name = empty_dataset().name;
  return true;
}

}  // namespace twofold::io
