#include "cli/command_bench_epoch.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/epoch_bench.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::cli {

using nlohmann::ordered_json;
using Contestant = EpochBench::Contestant;

int run_bench_epoch(const BenchEpochOptions& options, std::ostream& out, std::ostream& err) {
  const model::LearnSettings settings = resolve_timed(options.model, options.given);
  if (settings.is_kernel) throw UsageError(fmt::format("{} is a kernel and has no epochs", options.model));
  std::optional<model::EngineKind> other;
  if (!options.against.empty()) other = model::parse_engine(options.against);
  // Before the data is read: where the engine is missing, another program begins anew.
  model::EngineOptions engine = settings.engine;
  train::check_device(engine);
  if (other) {
    engine.kind = *other;
    train::check_device(engine);
  }

  EpochBench bench({options.limit, options.seed, options.threads, options.max_memory}, settings,
                   io::read_dataset(options.dataset, options.threads));
  const auto total = static_cast<std::uint64_t>(options.repeats) + 1;
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

  const model::ModelOptions& model = bench.settings().model;
  ordered_json result = {
      {"engine", model::to_string(own.engine->kind())},
      {"model", options.model},
      {"radius", model.model == model::ModelKind::k2WlGnn ? ordered_json(pairs::to_string(model.radius))
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
    result["against"] = {{"engine", model::to_string(rival.engine->kind())},
                         {"epoch_seconds", rival.best()},
                         {"epoch_seconds_median", rival.median()},
                         {"encode_seconds", rival.encode_seconds}};
    result["ratio"] = rival.best() / own.best();
  }
  if (options.json) {
    out << result.dump() << '\n';
    return 0;
  }
  out << fmt::format("{} on {} graphs, {} rows, {} triples, {}\n", options.model, bench.num_graphs(),
                     bench.num_rows(), result["triples"].get<std::uint64_t>(), threads_text(options.threads));
  const auto say = [&](const Contestant& contestant) {
    out << fmt::format("{:<15} {:.4f} s per epoch (median {:.4f}), {:.2f} s to encode\n",
                       model::to_string(contestant.engine->kind()), contestant.best(), contestant.median(),
                       contestant.encode_seconds);
  };
  say(own);
  if (other) {
    say(rival);
    out << fmt::format("{} takes {:.2f} times as long\n", model::to_string(rival.engine->kind()),
                       rival.best() / own.best());
  }
  out << fmt::format("peak memory     {}\n", format_bytes(peak_memory()));
  return 0;
}

}  // namespace twofold::cli
