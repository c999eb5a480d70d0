#include "cli/wl_options.h"

#include "cli/options.h"

namespace twofold::cli {

void declare_wl(Options& flags, WlOptions& options) {
  flags
      .add("DATASET", options.dataset,
           "graph6 or sparse6 file, TU folder, JSON-lines file, - for standard input, or TRIANGLE")
      .required()
      .type_name("");
  flags.add("--test", options.test, "1-wl, 2-wl, 2-gnn, or k-fwl for k = 2, 3, …")
      .show_default()
      .type_name("T");
  flags.add("--radius", options.radius, "2-wl only: pairs up to this distance, or all")
      .show_default()
      .type_name("R");
  flags.add("--marks", options.marks, "Run the test for every choice of that many marked nodes")
      .range(0, 1000)
      .show_default()
      .type_name("M");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
}

wl::WlTest test_of(const WlOptions& options) {
  wl::WlTest test = wl::parse_test(options.test);
  test.radius = graph::parse_radius(options.radius);
  test.marks = options.marks;
  return test;
}

nlohmann::ordered_json to_json(const wl::WlTest& test) {
  nlohmann::ordered_json radius;
  if (test.kind == wl::Kind::kRows) {
    if (test.radius.is_all())
      radius = "all";
    else
      radius = test.radius.steps();
  }
  return {{"test", wl::test_name(test)}, {"radius", radius}, {"marks", test.marks}};
}

}  // namespace twofold::cli
