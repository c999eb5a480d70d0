#include "cli/command_embed.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/dataset_input.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/gram/array_text.h"
#include "twofold/io/dataset_blocks.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

struct Written {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

void write_vectors(const std::vector<float>& vectors, AtomicFile& file) {
  file.write({reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof(float)});
}

// A dataset that is larger than the memory, block by block.
Written embed_blocks(const train::TrainedModel& model, const EmbedOptions& options, AtomicFile& file,
                     std::ostream& err) {
  BlockInput input(model, options.dataset, options.threads, options.max_memory, options.quiet, err);
  Written written;
  Dataset block;
  while (input.next(block)) {
    train::NetworkOnData run(*model.network, block, input.source(), options.threads, options.max_memory);
    if (written.rows == 0) {
      written.columns = run.vector_width();
      file.write(gram::npy_header("<f4", {input.num_graphs(), written.columns}));
    }
    write_vectors(run.vectors(), file);
    written.rows += run.num_items();
  }
  return written;
}

Written embed_whole(const train::TrainedModel& model, const EmbedOptions& options, AtomicFile& file,
                    std::ostream& err) {
  const Dataset dataset = read_input_for(model, options.dataset, {}, options.threads, true, err);
  train::NetworkOnData run(*model.network, dataset, options.dataset, options.threads, options.max_memory);
  file.write(gram::npy_header("<f4", {run.num_items(), run.vector_width()}));
  write_vectors(run.vectors(), file);
  return {run.num_items(), run.vector_width()};
}

}  // namespace

int run_embed(const EmbedOptions& options, std::ostream& out, std::ostream& err) {
  const std::string& path = options.output;
  if (path.size() < 4 || path.compare(path.size() - 4, 4, ".npy") != 0)
    throw UsageError(fmt::format("needed an output file .npy, found {}", in_quotes(path)));
  require_output_apart(options.output, {options.model, input_of_dataset(options.dataset)});
  AtomicFile file(path);
  const train::TrainedModel model = train::read_model(options.model);
  if (!model.network)
    throw InputError(
        fmt::format("{}: needed a network, found a kernel model, which has no vectors", options.model));
  const TargetOf about = model.network->settings.model.about;
  const char* const what = model::to_string(about);
  const bool in_blocks =
      about == TargetOf::kGraphs && io::DatasetBlocks::suits(options.dataset, options.max_memory);
  const Written written =
      in_blocks ? embed_blocks(model, options, file, err) : embed_whole(model, options, file, err);
  file.commit();
  if (options.json) {
    const nlohmann::ordered_json result = {{what, written.rows}, {"columns", written.columns}};
    out << result.dump() << '\n';
  } else {
    fmt::print(out, "{}: {} {}, {} columns\n", path, written.rows, what, written.columns);
  }
  return 0;
}

}  // namespace twofold::cli
