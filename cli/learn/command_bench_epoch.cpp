#include "cli/learn/command_bench_epoch.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/learn/epoch_bench.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {

using nlohmann::ordered_json;
using Contestant = EpochBench::Contestant;

void declare_bench_epoch(Options& flags, BenchEpochOptions& options) {
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_learning(flags, options.model, options.given, LearnDefaults::kEvaluate);
  flags
      .add("--against", options.against,
           "Measure this engine too, epoch by epoch in turn: auto, colors, fused or gather-scatter")
      .type_name("ENGINE");
  flags.add("--repeats", options.repeats, "Epochs to measure, after one to warm up")
      .range(1, 10000)
      .show_default()
      .type_name("N");
  flags.add("--limit", options.limit, "Only so many graphs, drawn by the seed; 0: all")
      .show_default()
      .type_name("N");
  declare_seed(flags, options.seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
An epoch is what training does in one: new batches, forward, backward and the optimizer's step for every graph,
without validation. With --against, both engines first have to give the same loss and gradient.

Examples:
  twofold bench epoch data/NCI1 --radius 1 --layers 3 --width 32 --batch 32
  twofold bench epoch data/NCI1 --radius 8 --engine fused --against gather-scatter --limit 400)");
}

int run_bench_epoch(const BenchEpochOptions& options, std::ostream& out, std::ostream& err) {
  const LearnSettings settings = resolve_learning(options.model, options.given);
  if (settings.is_kernel) throw UsageError(fmt::format("{} is a kernel and has no epochs", options.model));
  std::optional<train::EngineKind> other;
  if (!options.against.empty()) other = train::parse_engine(options.against);

  EpochBench bench({options.limit, options.seed, options.threads, options.max_memory}, settings,
                   io::read_dataset(options.dataset, options.threads), options.dataset);
  const auto total = static_cast<std::uint64_t>(options.repeats + 1);
  Contestant own = bench.prepare(settings.engine.kind);
  Contestant rival;
  if (other) {
    rival = bench.prepare(*other);
    bench.require_same(own, rival);
  }
  {
    ProgressOptions how;
    how.label = "bench epoch";
    how.unit = "epochs";
    how.quiet = options.quiet;
    ProgressLine line(err, how);
    const Progress progress = line.progress();
    for (std::uint64_t epoch = 0; epoch < total; ++epoch) {
      bench.run_epoch(own, epoch > 0);
      if (other) bench.run_epoch(rival, epoch > 0);
      if (progress) progress(epoch + 1, total);
    }
  }

  const nn::ModelOptions& model = bench.settings().model;
  ordered_json result = {
      {"engine", train::to_string(own.engine->kind())},
      {"model", options.model},
      {"radius", model.model == nn::ModelKind::k2WlGnn ? ordered_json(pairs::to_string(model.radius))
                                                       : ordered_json(nullptr)},
      {"graphs", bench.num_graphs()},
      {"rows", bench.num_rows()},
      {"triples", bench.num_triples(own)},
      {"layers", model.layers},
      {"width", model.width},
      {"batch", bench.settings().train.batch.graphs},
      {"threads", resolve_threads(options.threads)},
      {"epoch_seconds", own.best()},
      {"epoch_seconds_median", own.median()},
      {"encode_seconds", own.encode_seconds},
      {"peak_memory_bytes", peak_memory()}};
  if (other) {
    result["against"] = {{"engine", train::to_string(rival.engine->kind())},
                         {"epoch_seconds", rival.best()},
                         {"epoch_seconds_median", rival.median()},
                         {"encode_seconds", rival.encode_seconds}};
    result["ratio"] = rival.best() / own.best();
  }
  if (options.json) {
    out << result.dump() << '\n';
    return 0;
  }
  out << fmt::format("{} on {} graphs, {} rows, {} triples, {} thread(s)\n", options.model, bench.num_graphs(),
                     bench.num_rows(), result["triples"].get<std::uint64_t>(),
                     resolve_threads(options.threads));
  const auto say = [&](const Contestant& contestant) {
    out << fmt::format("{:<15} {:.4f} s an epoch (median {:.4f}), {:.2f} s to encode\n",
                       train::to_string(contestant.engine->kind()), contestant.best(), contestant.median(),
                       contestant.encode_seconds);
  };
  say(own);
  if (other) {
    say(rival);
    out << fmt::format("{} takes {:.2f} times as long\n", train::to_string(rival.engine->kind()),
                       rival.best() / own.best());
  }
  out << fmt::format("peak memory     {}\n", format_bytes(peak_memory()));
  return 0;
}

}  // namespace twofold::cli
