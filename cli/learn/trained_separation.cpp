#include "cli/learn/trained_separation.h"

#include "twofold/train/pair_separation.h"

namespace twofold::cli {
namespace {

std::vector<bool> separate(Span<const Graph> graphs, const std::string& model, const wl::WlTest& twin,
                           std::uint64_t seed, const wl::ClassifyOptions& how) {
  train::SeparationOptions options = train::separation_options(model::parse_model(model));
  options.model.radius = twin.radius;
  options.seed = seed;
  options.threads = how.threads;
  options.max_memory = how.max_memory;
  options.progress = how.progress;
  std::vector<bool> verdicts;
  for (const train::Separation& pair : train::separate_pairs(graphs, options))
    verdicts.push_back(pair.is_distinguished);
  return verdicts;
}

}  // namespace

int run_wl_pairs_learn(const WlPairsOptions& options, std::ostream& out, std::ostream& err) {
  return wl_pairs_with(separate, options, out, err);
}

int run_reproduce_ladder_learn(const ReproduceLadderOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce_ladder_with(separate, options, out, err);
}

}  // namespace twofold::cli
