#include "twofold/base/error.h"
#include "twofold/io/block_source.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph6.h"
#include "twofold/io/text_chunks.h"

namespace twofold::io {
namespace {

class Graph6Blocks : public BlockSource {
 public:
  Graph6Blocks(const std::string& path, const BlockSourceOptions& options)
      : path_(path), chunks_(path, options.block_bytes), reader_(path) {
    std::string chunk;
    bool is_first = true;
    while (chunks_.next(chunk)) {
      std::vector<Graph> graphs;
      try {
        graphs = reader_.read(chunk, chunks_.is_last());
      } catch (const InputError& error) {
        if (is_first) tell_if_no_graph6(error, chunk, path);
        throw;
      }
      is_first = false;
      frame_.num_graphs += graphs.size();
      for (const Graph& g : graphs) frame_.has_bare_nodes = frame_.has_bare_nodes || g.num_nodes() > 0;
    }
    frame_.empty.name = dataset_name(path);
    rewind();
  }

  const DatasetFrame& frame() const override { return frame_; }

  void rewind() override {
    chunks_.rewind();
    reader_ = Graph6Reader(path_);
  }

  bool next(Dataset& block) override {
    std::string chunk;
    if (!chunks_.next(chunk)) return false;
    block.graphs = reader_.read(chunk, chunks_.is_last());
    return true;
  }

 private:
  std::string path_;
  TextChunks chunks_;
  Graph6Reader reader_;
  DatasetFrame frame_;
};

}  // namespace

std::unique_ptr<BlockSource> graph6_blocks(const std::string& path, const BlockSourceOptions& options) {
  return std::make_unique<Graph6Blocks>(path, options);
}

}  // namespace twofold::io
