#include <atomic>
#include <stdexcept>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/io/block_source.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/lines_frame.h"
#include "twofold/io/text_chunks.h"

namespace twofold::io {
namespace {

class JsonBlocks : public BlockSource {
 public:
  JsonBlocks(const std::string& path, const BlockSourceOptions& options)
      : path_(path), threads_(options.threads), chunks_(path, options.block_bytes), lines_frame_(path) {
    std::vector<JsonLine> lines;
    while (read_lines(lines))
      for (const JsonLine& line : lines) lines_frame_.add(line);
    lines_frame_.finish();
    if (lines_frame_.has_items()) frame_.numbered_together = "targets of nodes and pairs and sparse features";
    frame_.num_graphs = lines_frame_.num_lines();
    frame_.empty = lines_frame_.empty_dataset();
    frame_.empty.name = dataset_name(path);
    frame_.kinds = {false, lines_frame_.has_node_labels(), lines_frame_.has_edge_labels()};
    frame_.node_labels = lines_frame_.node_labels();
    frame_.has_bare_nodes = lines_frame_.has_bare_nodes();
    rewind();
  }

  const DatasetFrame& frame() const override { return frame_; }

  void rewind() override {
    chunks_.rewind();
    line_ = 0;
  }

  bool next(Dataset& block) override {
    std::vector<JsonLine> lines;
    if (!read_lines(lines)) return false;
    try {
      block = lines_frame_.dataset_of(lines);
    } catch (const std::out_of_range&) {
      throw InputError(fmt::format(
          "{} changed while it was read: needed the classes and labels of before, found another", path_));
    }
    return true;
  }

 private:
  bool read_lines(std::vector<JsonLine>& lines) {
    std::string chunk;
    if (!chunks_.next(chunk)) return false;
    const std::vector<std::string_view> texts = lines_of(chunk, chunks_.is_last());
    lines.clear();
    lines.resize(texts.size());
    std::atomic<std::int64_t> nodes_left{static_cast<std::int64_t>(ReadLimits().max_nodes)};
    parallel_for(texts.size(), threads_, [&](std::size_t i) {
      lines[i] = read_json_line(texts[i], path_, line_ + i + 1, nodes_left, {});
    });
    line_ += texts.size();
    return true;
  }

  std::string path_;
  int threads_;
  TextChunks chunks_;
  std::size_t line_ = 0;  // lines handed out
  LinesFrame lines_frame_;
  DatasetFrame frame_;
};

}  // namespace

std::unique_ptr<BlockSource> json_blocks(const std::string& path, const BlockSourceOptions& options) {
  return std::make_unique<JsonBlocks>(path, options);
}

}  // namespace twofold::io
