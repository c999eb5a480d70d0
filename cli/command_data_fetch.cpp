#include "cli/command_data_fetch.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/base/memory.h"

namespace twofold::cli {

void declare_data_fetch(Options& flags, DataFetchOptions& options) {
  flags.add("NAME", options.fetch.name, "The dataset, as the collection spells it: MUTAG, REDDIT-BINARY")
      .required()
      .type_name("");
  declare_output(flags, options.fetch.folder, "Make the folder NAME in here").show_default();
  flags.add("--mirror", options.fetch.mirror, "Take URL/NAME.zip; an http, https or file address")
      .show_default()
      .type_name("URL");
  flags
      .add_call(
          "--max-size", [&options](const std::string& text) { options.fetch.max_download = parse_bytes(text); },
          "Download no archive larger than this [4G]")
      .type_name("SIZE");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
The archive is checked and unpacked into the folder NAME, complete or not at all. A mirror may be a folder of your own:
file:///data/archives.

Examples:
  twofold data fetch MUTAG -o data
  twofold data fetch NCI1 --mirror https://example.org/graphs
  twofold data info data/MUTAG)");
}

int run_data_fetch(const DataFetchOptions& options, std::ostream& out, std::ostream& err) {
  io::FetchedDataset fetched;
  {
    ProgressOptions shown;
    shown.label = options.fetch.name + ".zip";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    fetched = io::fetch_dataset(options.fetch, line.progress());
  }
  const std::size_t num_left_out = fetched.left_out.size();
  if (num_left_out > 0 && !options.quiet)
    fmt::print(err, "left out {} of the archive that {} not of the dataset\n",
               num_left_out == 1 ? "1 file" : fmt::format("{} files", num_left_out),
               num_left_out == 1 ? "is" : "are");
  if (options.json) {
    out << nlohmann::ordered_json{{"name", options.fetch.name},   {"folder", fetched.folder},
                                  {"url", fetched.url},           {"bytes", fetched.bytes},
                                  {"graphs", fetched.num_graphs}, {"files", fetched.files},
                                  {"left_out", fetched.left_out}}
               .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
        << '\n';
    return 0;
  }
  fmt::print(out, "{}\n{} graphs in {} files from {} ({})\n", fetched.folder, fetched.num_graphs,
             fetched.files.size(), fetched.url, format_bytes(fetched.bytes));
  return 0;
}

}  // namespace twofold::cli
