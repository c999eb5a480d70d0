#include "cli/command_embed.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/dataset_input.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

// The header of an array of 32-bit floats, row by row (format version 1.0): its length is a multiple of 64.
std::string npy_header(std::size_t rows, std::size_t columns) {
  std::string text =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  text.resize((text.size() + 1 + 10 + 63) / 64 * 64 - 10 - 1, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
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
  const Dataset dataset = read_input_for(model, options.dataset, {}, options.threads, true, err);
  train::NetworkOnData run(*model.network, dataset, options.dataset, options.threads, options.max_memory);
  const std::vector<float> vectors = run.vectors();
  const std::size_t rows = run.num_items();
  const char* const what = model::to_string(model.network->settings.model.about);
  file.write(npy_header(rows, run.vector_width()));
  file.write({reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof(float)});
  file.commit();
  if (options.json) {
    const nlohmann::ordered_json result = {{what, rows}, {"columns", run.vector_width()}};
    out << result.dump() << '\n';
  } else {
    fmt::print(out, "{}: {} {}, {} columns\n", path, rows, what, run.vector_width());
  }
  return 0;
}

}  // namespace twofold::cli
