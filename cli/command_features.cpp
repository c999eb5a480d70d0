#include "cli/command_features.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/output_path.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/gram/feature_names.h"
#include "twofold/gram/features_file.h"
#include "twofold/gram/sparse_counts.h"
#include "twofold/gram/vocabulary_file.h"
#include "twofold/io/dataset_blocks.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {

void declare_features(Options& flags, FeaturesCommandOptions& options) {
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      .required()
      .type_name("");
  Option& kernel = declare_kernel(flags, options.kernel);
  kernel.meaning(gram::kernel_names() + "; needed unless --vocabulary tells it");
  flags.add_flag("--normalize", options.normalize, "Divide each graph's counts by their length");
  declare_output(flags, options.output, "Write the counts here: FILE.npz (SciPy, CSR) or FILE.svm (text)")
      .required();
  flags
      .add("--vocabulary", options.vocabulary,
           "Columns and kernel of this file: colors that it does not have are left out")
      .type_name("FILE")
      .excludes(kernel);
  flags
      .add("--save-vocabulary", options.save_vocabulary,
           "Keep what the columns stand for, so that further graphs can be given the same ones")
      .type_name("FILE");
  flags.add("--names", options.names, "Write a name for each column here, one per line").type_name("FILE");
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
A row per graph, a column per color, exact counts, no hashing. The inner product of two rows is the kernel's value
(twofold gram). A column's name is the same in every vocabulary: it tells the round and what the color is made of.

Examples:
  twofold features TRIANGLE --kernel wl-st --iterations 2 -o triangle.npz --names columns.txt
  twofold features data/NCI1 --kernel 2-wl -o nci1.npz --save-vocabulary nci1.vocabulary
  twofold features new.jsonl --vocabulary nci1.vocabulary -o new.npz)");
}

namespace {

// Of a dataset that is larger than the memory, block by block: of the graphs only their targets stay.
gram::SparseCounts count_blocks(gram::Vocabulary& vocabulary, const FeaturesCommandOptions& options,
                                const Progress& progress, Dataset& targets) {
  io::BlocksOptions reading;
  reading.threads = options.threads;
  reading.max_memory = options.max_memory;
  io::DatasetBlocks blocks(options.dataset, reading);
  targets = blocks.empty_dataset();
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  std::optional<gram::CountsBuilder> builder;
  std::optional<gram::FeatureColumns> columns;
  gram::SparseCounts counts;
  if (options.vocabulary.empty()) {
    builder.emplace(vocabulary, blocks.num_graphs(), options.max_memory);
  } else {
    columns.emplace(vocabulary);
    counts.num_columns = columns->size();
  }
  Dataset block;
  while (blocks.next(block)) {
    if (builder)
      builder->add(block.graphs);
    else
      gram::find_more_counts(vocabulary, *columns, block.graphs, options.threads, limit, {}, counts);
    targets.class_of.insert(targets.class_of.end(), block.class_of.begin(), block.class_of.end());
    targets.real_targets.insert(targets.real_targets.end(), block.real_targets.begin(),
                                block.real_targets.end());
    if (progress) progress(blocks.first() + block.graphs.size(), blocks.num_graphs());
  }
  return builder ? std::move(*builder).finish() : counts;
}

}  // namespace

int run_features(const FeaturesCommandOptions& options, std::ostream& out, std::ostream& err) {
  if (options.vocabulary.empty() && options.kernel.name.empty())
    throw UsageError(
        "needed --kernel, or --vocabulary with a file that --save-vocabulary wrote, found neither");
  const gram::FeaturesFormat format = gram::features_format_of_path(options.output);
  for (const std::string& path : {options.output, options.save_vocabulary, options.names})
    require_output_apart(path, {input_of_dataset(options.dataset), options.vocabulary});
  gram::Vocabulary vocabulary =
      options.vocabulary.empty() ? gram::Vocabulary(kernel_of(options.kernel))
                                 : gram::decode_vocabulary(read_file(options.vocabulary), options.vocabulary);
  AtomicFile file(options.output);
  std::optional<AtomicFile> kept, names;
  if (!options.save_vocabulary.empty()) kept.emplace(options.save_vocabulary);
  if (!options.names.empty()) names.emplace(options.names);
  Dataset targets;  // what the text format says of each row
  gram::SparseCounts counts;
  {
    ProgressOptions shown;
    shown.label = gram::kernel_name(vocabulary.kernel().kind);
    shown.unit = "graphs";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    if (io::DatasetBlocks::suits(options.dataset, options.max_memory)) {
      counts = count_blocks(vocabulary, options, line.progress(), targets);
    } else {
      Dataset dataset = io::read_dataset(options.dataset, options.threads);
      counts = options.vocabulary.empty()
                   ? gram::add_counts(vocabulary, dataset.graphs, options.max_memory, line.progress())
                   : gram::find_counts(vocabulary, dataset.graphs, options.threads, options.max_memory,
                                       line.progress());
      targets = std::move(dataset);
    }
  }
  gram::write_features(counts, targets, format, options.normalize, file);
  file.commit();
  if (kept) {
    kept->write(gram::encode_vocabulary(vocabulary));
    kept->commit();
  }
  if (names) {
    for (const std::string& name : gram::feature_names(vocabulary)) names->write(name + "\n");
    names->commit();
  }
  if (options.json) {
    const nlohmann::ordered_json result = {{"kernel", gram::describe(vocabulary.kernel())},
                                           {"graphs", counts.num_rows()},
                                           {"columns", counts.num_columns},
                                           {"entries", counts.columns.size()}};
    out << result.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{} of {} graphs: {} columns, {} entries\n", gram::describe(vocabulary.kernel()),
             counts.num_rows(), counts.num_columns, counts.columns.size());
  return 0;
}

}  // namespace twofold::cli
