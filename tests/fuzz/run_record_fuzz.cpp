#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/eval/plan.h"
#include "twofold/record/run_record.h"
#include "twofold/report/run_command.h"
#include "twofold/report/run_view.h"

namespace {

namespace fs = std::filesystem;

// A run folder in memory, where there is such a place. Its name outlives all that runs at exit.
const std::string& folder() {
  static const std::string& path = *[] {
    auto* const name = new std::string(
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/runXXXXXX");
    if (mkdtemp(name->data()) == nullptr) std::abort();
    fs::create_directories(*name + "/tasks");
    fs::create_directories(*name + "/timing");
    std::atexit([] { fs::remove_all(folder()); });
    return name;
  }();
  return path;
}

}  // namespace

// The files of a run folder, one after the other with a zero byte between: run.json, result.json, splits.json,
// a task and a time. All that reads them gives values or says what is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string texts[5];
  const char* const names[] = {"/run.json", "/result.json", "/splits.json", "/tasks/final-f00-r1.json",
                               "/timing/final-f00-r1.json"};
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    texts[i] = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::ofstream(folder() + names[i], std::ios::binary | std::ios::trunc) << texts[i];
  }
  try {
    record::read_run(folder());
  } catch (const InputError&) {
  }
  try {
    const eval::Plan plan = eval::parse_plan(texts[0], texts[2], "run.json", "9.9.9");
    if (!eval::describe_difference(plan, plan).empty()) std::abort();
    const eval::Plan again = eval::parse_plan(record::encode_record(eval::to_json(plan)),
                                              eval::format_splits(plan.splits), "again", "9.9.9");
    if (!eval::describe_difference(plan, again).empty()) std::abort();
  } catch (const InputError&) {
  }
  for (const report::RunView& run : report::read_run_views({folder()}).runs) {
    report::evaluate_command(run);
    for (const record::RunFold& fold : run.record.folds) report::describe_options(run, fold.config, false);
  }
  return 0;
}
