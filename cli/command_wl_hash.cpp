#include "cli/command_wl_hash.h"

#include <fmt/ostream.h>

#include "twofold/io/dataset_file.h"
#include "twofold/wl/fingerprint.h"

namespace twofold::cli {

void declare_wl_hash(Options& flags, WlHashOptions& options) {
  declare_wl(flags, options);
  flags.footer(R"(
One line per graph: version, test, radius, marks, and 128 bits. It is the same for graphs that the test cannot tell apart,
on every machine and in every release. Different graphs may share it, as with any hash: wl classes never errs so.

Examples:
  twofold wl hash molecules.g6
  twofold wl hash molecules.g6 --test 1-wl | sort | uniq -d)");
}

int run_wl_hash(const WlHashOptions& options, std::ostream& out, std::ostream& err) {
  const wl::WlTest test = test_of(options);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const std::vector<std::string> hashes = compute_with_progress(
      options, err, "graphs",
      [&](const wl::ClassifyOptions& how) { return wl::fingerprints(dataset.graphs, test, how); });
  if (options.json) {
    auto result = to_json(test);
    result["graphs"] = dataset.graphs.size();
    result["hashes"] = hashes;
    out << result.dump() << '\n';
    return 0;
  }
  for (const std::string& hash : hashes) fmt::print(out, "{}\n", hash);
  return 0;
}

}  // namespace twofold::cli
