#include "cli/command_wl_classes.h"

#include <fmt/ostream.h>

#include "twofold/io/dataset_file.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

void declare_wl_classes(Options& flags, WlClassesOptions& options) {
  declare_wl(flags, options);
  flags.footer(R"(
Graphs are in one class iff the test cannot tell them apart. The answer is exact. Graphs count from 1; a graph that is
not listed has a class of its own. With --json every graph's class is given, and classes count from 0.

Examples:
  nauty-geng -q 6 | twofold wl classes - --test 1-wl
  twofold wl classes molecules.g6 --test 2-wl --radius 2
  twofold wl classes srg.g6 --test 2-wl --marks 1 --json)");
}

int run_wl_classes(const WlClassesOptions& options, std::ostream& out, std::ostream& err) {
  const wl::WlTest test = test_of(options);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const wl::Classes classes = compute_with_progress(
      options, err, "graphs",
      [&](const wl::ClassifyOptions& how) { return wl::classify(dataset.graphs, test, how); });
  if (options.json) {
    auto result = to_json(test);
    result["graphs"] = dataset.graphs.size();
    result["classes"] = classes.num_classes;
    result["class_of"] = classes.class_of;
    out << result.dump() << '\n';
    return 0;
  }
  fmt::print(out, "{}: {} class{} of {} graph{}\n", wl::describe(test), classes.num_classes,
             classes.num_classes == 1 ? "" : "es", dataset.graphs.size(),
             dataset.graphs.size() == 1 ? "" : "s");
  std::vector<std::vector<std::size_t>> members(classes.num_classes);
  for (std::size_t g = 0; g < classes.class_of.size(); ++g) members[classes.class_of[g]].push_back(g + 1);
  for (const auto& graphs : members)
    if (graphs.size() > 1) fmt::print(out, "not told apart: {}\n", fmt::join(graphs, " "));
  return 0;
}

}  // namespace twofold::cli
