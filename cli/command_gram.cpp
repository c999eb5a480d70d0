#include "cli/command_gram.h"

#include <fmt/ostream.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "twofold/base/clock.h"
#include "twofold/base/error.h"
#include "twofold/gram/gram.h"
#include "twofold/gram/gram_file.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

// JSON's integers end where those of 64 bits do for most readers; what lies beyond is given as a real number.
ordered_json wide_json(gram::Wide value) {
  if (value <= std::numeric_limits<std::int64_t>::max()) return static_cast<std::int64_t>(value);
  return static_cast<double>(value);
}

}  // namespace

void declare_gram(Options& flags, GramCommandOptions& options) {
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_kernel(flags, options.kernel).required();
  flags
      .add("--combine", options.combine,
           "How often two graphs have a color: multiplied (product), or the smaller number (intersection)")
      .one_of({"product", "intersection"})
      .show_default()
      .type_name("WORD");
  flags.add_flag("--normalize", options.normalize, "Write cosine values, K(i,j) / sqrt(K(i,i) K(j,j))");
  declare_output(flags, options.output, "Write the matrix here: FILE.npy, FILE.csv or FILE.libsvm");
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
Node labels count, attributes do not. Trace and total are those of the raw counts, also with --normalize.

Examples:
  twofold gram TRIANGLE --kernel wl-st --iterations 3 -o triangle.npy
  twofold gram data/MUTAG --kernel 2-lwl --edge-labels -o mutag.libsvm --json
  twofold gram data/MUTAG --kernel 2-wl --radius 2 --iterations 4 --normalize -o mutag.npy)");
}

int run_gram(const GramCommandOptions& options, std::ostream& out, std::ostream& err) {
  gram::Kernel kernel = kernel_of(options.kernel);
  kernel.combine = gram::parse_combine(options.combine);
  require_output_apart(options.output, {input_of_dataset(options.dataset)});
  std::optional<AtomicFile> file;
  gram::GramFormat format{};
  if (!options.output.empty()) {
    format = gram::gram_format_of_path(options.output);
    file.emplace(options.output);
  }
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);

  const std::size_t num_graphs = dataset.graphs.size();
  // Reading and writing left out.
  double seconds = 0, last = seconds_on(Clock::kWall);
  gram::Wide trace = 0, total = 0;
  {
    std::optional<gram::GramWriter> writer;
    if (file) writer.emplace(num_graphs, dataset, format, options.normalize, *file);
    ProgressOptions shown;
    shown.label = options.kernel.name;
    shown.unit = "graphs";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    gram::gram_blocks(dataset.graphs, kernel, {options.threads, options.max_memory, line.progress()},
                      [&](const gram::GramMatrix& rows) {
                        seconds += seconds_on(Clock::kWall) - last;
                        trace = rows.trace();
                        total += rows.total();
                        if (writer) writer->add(rows);
                        last = seconds_on(Clock::kWall);
                      });
  }
  if (file) file->commit();

  if (options.json) {
    ordered_json result = {{"kernel", options.kernel.name}, {"iterations", options.kernel.iterations},
                           {"graphs", num_graphs},          {"seconds", seconds},
                           {"trace", wide_json(trace)},     {"total", wide_json(total)}};
    if (kernel.kind == gram::KernelKind::kRows) {
      if (kernel.radius.is_all())
        result["radius"] = "all";
      else
        result["radius"] = kernel.radius.steps();
    }
    out << result.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{} of {} graphs: trace {}, total {}\n", describe(kernel), num_graphs, gram::to_text(trace),
             gram::to_text(total));
  return 0;
}

}  // namespace twofold::cli
