#include "cli/options.h"

#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::cli {

void declare_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the result as one JSON object");
}

void declare_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet,-q", quiet, "Say nothing but results and errors");
}

void declare_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "Threads to use; 0 takes all. Changes the speed only")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str()
      ->type_name("N");
}

void declare_seed(CLI::App& app, std::uint64_t& seed) {
  app.add_option("--seed", seed, "Every random choice follows from it")->capture_default_str()->type_name("N");
}

CLI::Option* declare_output(CLI::App& app, std::string& path, const std::string& meaning) {
  return app.add_option("-o,--output", path, meaning)->type_name("PATH");
}

void declare_max_memory(CLI::App& app, std::uint64_t& bytes) {
  app.add_option_function<std::string>(
         "--max-memory", [&bytes](const std::string& text) { bytes = parse_bytes(text); },
         "Stop before using more, e.g. 8G [nine tenths of the machine's]")
      ->type_name("SIZE");
}

}  // namespace twofold::cli
