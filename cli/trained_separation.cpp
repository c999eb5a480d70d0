#include "cli/trained_separation.h"

#include "twofold/train/pair_separation.h"

namespace twofold::cli {

std::vector<bool> separate_by_training(Span<const Graph> graphs, const std::string& model,
                                       const wl::WlTest& twin, std::uint64_t seed, Controls& controls,
                                       const wl::ClassifyOptions& how) {
  train::SeparationOptions options = train::separation_options(model::parse_model(model));
  options.model.radius = twin.radius;
  options.model.marks = twin.marks;
  options.seed = seed;
  options.threads = how.threads;
  options.max_memory = how.max_memory;
  options.progress = how.progress;
  std::vector<bool> verdicts;
  for (const train::Separation& pair : train::separate_pairs(graphs, options)) {
    verdicts.push_back(pair.is_distinguished);
    controls.number += static_cast<std::size_t>(pair.num_controls);
    controls.told_apart += static_cast<std::size_t>(pair.num_false);
  }
  return verdicts;
}

}  // namespace twofold::cli
