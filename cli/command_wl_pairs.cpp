#include "cli/command_wl_pairs.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

void declare_wl_pairs(CLI::App& app, WlPairsOptions& options) {
  declare_wl(app, options);
  app.footer(R"(
Graphs 1 and 2 are a pair, 3 and 4 are, and so on. Each pair is refined only until its two graphs differ.
The answer is exact. With --json a verdict is true for a pair that is distinguished.

Examples:
  twofold wl pairs pairs.g6 --test 2-fwl
  twofold wl pairs pairs.g6 --test 2-wl --radius all --marks 1 --json)");
}

int run_wl_pairs(const WlPairsOptions& options, std::ostream& out, std::ostream& err) {
  const wl::WlTest test = test_of(options);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const std::vector<bool> verdicts =
      compute_with_progress(options, err, "pairs", [&](const wl::ClassifyOptions& how) {
        if (dataset.graphs.size() % 2 != 0)
          throw InputError(
              fmt::format("needed an even number of graphs to pair them, found {}", dataset.graphs.size()));
        return wl::distinguish_pairs(dataset.graphs, test, how);
      });
  const auto distinguished = std::count(verdicts.begin(), verdicts.end(), true);
  if (options.json) {
    auto result = to_json(test);
    result["pairs"] = verdicts.size();
    result["distinguished"] = distinguished;
    result["verdicts"] = verdicts;
    out << result.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{}: {} of {} pair{} distinguished\n", wl::describe(test), distinguished, verdicts.size(),
             verdicts.size() == 1 ? "" : "s");
  for (std::size_t p = 0; p < verdicts.size(); ++p)
    fmt::print(out, "graphs {} and {}: {}\n", 2 * p + 1, 2 * p + 2,
               verdicts[p] ? "distinguished" : "not told apart");
  return 0;
}

}  // namespace twofold::cli
