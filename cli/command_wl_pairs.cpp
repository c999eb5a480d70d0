#include "cli/command_wl_pairs.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/trained_separation.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/random_net.h"

namespace twofold::cli {

void declare_wl_pairs(Options& flags, WlPairsOptions& options) {
  declare_wl(flags, options);
  flags.find("test")->meaning(
      "1-wl, 2-wl, 2-gnn, k-fwl; net:MODEL or trained:MODEL for 2-wl-gnn, 2-gnn or gin");
  flags.find("radius")->meaning("2-wl and 2-wl-gnn: pairs up to this distance, or all");
  declare_seed(flags, options.seed);
  flags.footer(R"(
Graphs 1 and 2 are a pair, 3 and 4 are, and so on. Each pair is refined only until its two graphs differ.
The answer is exact. With --json a verdict is true for a pair that is distinguished.

net:MODEL asks networks with random weights, three a pair, as deep as they need: what they tell apart, the exact test
does (gin: 1-wl, 2-wl-gnn: 2-wl). trained:MODEL trains one on each pair and compares relabeled copies of both graphs.

Examples:
  twofold wl pairs pairs.g6 --test 2-fwl
  twofold wl pairs pairs.g6 --test 2-wl --radius all --marks 1 --json
  twofold wl pairs pairs.g6 --test net:2-wl-gnn --radius 2)");
}

int run_wl_pairs(const WlPairsOptions& options, std::ostream& out, std::ostream& err) {
  PairTest test = parse_pair_test(options.test);
  test.test.radius = graph::parse_radius(options.radius);
  test.test.marks = options.marks;
  if (test.judge != PairJudge::kExact && options.marks > 0)
    throw UsageError(fmt::format("needed no --marks with {}, found {}", test_word(test), options.marks));
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const std::vector<bool> verdicts =
      compute_with_progress(options, err, "pairs", [&](const wl::ClassifyOptions& how) {
        if (dataset.graphs.size() % 2 != 0)
          throw InputError(
              fmt::format("needed an even number of graphs to pair them, found {}", dataset.graphs.size()));
        if (test.judge == PairJudge::kTrained)
          return separate_by_training(dataset.graphs, test.model, test.test, options.seed, how);
        if (test.judge == PairJudge::kExact) return wl::distinguish_pairs(dataset.graphs, test.test, how);
        wl::NetOptions net;
        net.seed = options.seed;
        return wl::distinguish_pairs_by_nets(dataset.graphs, test.test, net, how);
      });
  const auto distinguished = std::count(verdicts.begin(), verdicts.end(), true);
  if (options.json) {
    auto result = to_json(test.test);
    result["test"] = test_word(test);
    if (test.judge != PairJudge::kExact) result["seed"] = options.seed;
    result["pairs"] = verdicts.size();
    result["distinguished"] = distinguished;
    result["verdicts"] = verdicts;
    out << result.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{}: {} of {} pair{} distinguished\n", describe(test), distinguished, verdicts.size(),
             verdicts.size() == 1 ? "" : "s");
  for (std::size_t p = 0; p < verdicts.size(); ++p)
    fmt::print(out, "graphs {} and {}: {}\n", 2 * p + 1, 2 * p + 2,
               verdicts[p] ? "distinguished" : "not told apart");
  return 0;
}

}  // namespace twofold::cli
