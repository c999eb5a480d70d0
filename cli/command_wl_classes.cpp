#include "cli/command_wl_classes.h"

#include <fmt/ostream.h>

#include "twofold/io/dataset_file.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

namespace {

nlohmann::ordered_json classes_json(const wl::WlTest& test, const wl::Classes& classes) {
  auto result = to_json(test);
  result["graphs"] = classes.class_of.size();
  result["classes"] = classes.num_classes;
  result["class_of"] = classes.class_of;
  return result;
}

}  // namespace

void declare_wl_classes(Options& flags, WlClassesOptions& options) {
  declare_wl_lists(flags, options);
  flags.footer(R"(
Graphs are in one class iff the test cannot tell them apart. The answer is exact. Graphs count from 1; a graph that is
not listed has a class of its own. With --json every graph's class is given, and classes count from 0. Several tests
are answered one after the other, with --json as a list.

Examples:
  nauty-geng -q 6 | twofold wl classes - --test 1-wl
  twofold wl classes molecules.g6 --test 2-wl --radius 1,2
  twofold wl classes srg.g6 --test 2-wl,2-fwl --marks 0,1 --json)");
}

int run_wl_classes(const WlClassesOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<wl::WlTest> tests = tests_of(options.test, options.radius, options.marks);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  auto all = nlohmann::ordered_json::array();
  for (const wl::WlTest& test : tests) {
    const wl::Classes classes = compute_with_progress(
        options, err, "graphs",
        [&](const wl::ClassifyOptions& how) { return wl::classify(dataset.graphs, test, how); });
    if (options.json) {
      all.push_back(classes_json(test, classes));
      continue;
    }
    fmt::print(out, "{}: {} class{} of {} graph{}\n", wl::describe(test), classes.num_classes,
               classes.num_classes == 1 ? "" : "es", dataset.graphs.size(),
               dataset.graphs.size() == 1 ? "" : "s");
    std::vector<std::vector<std::size_t>> members(classes.num_classes);
    for (std::size_t g = 0; g < classes.class_of.size(); ++g) members[classes.class_of[g]].push_back(g + 1);
    for (const auto& graphs : members)
      if (graphs.size() > 1) fmt::print(out, "not told apart: {}\n", fmt::join(graphs, " "));
  }
  if (options.json) out << (tests.size() == 1 ? all.front() : all).dump() << '\n';
  return 0;
}

}  // namespace twofold::cli
