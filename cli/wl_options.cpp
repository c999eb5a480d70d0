#include "cli/wl_options.h"

#include <algorithm>

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
      .show_default()
      .type_name("M");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
}

void declare_wl_lists(Options& flags, WlOptions& options) {
  declare_wl(flags, options);
  flags.find("test")->meaning("1-wl, 2-wl, 2-gnn, or k-fwl for k = 2, 3, …; several with commas");
  flags.find("radius")->meaning("2-wl only: pairs up to this distance, or all; several with commas");
  flags.find("marks")->meaning("Run the test for every choice of that many marked nodes; several with commas");
}

wl::WlTest test_of(const WlOptions& options) {
  wl::WlTest test = wl::parse_test(options.test);
  test.radius = graph::parse_radius(options.radius);
  test.marks = parse_marks(options.marks);
  return test;
}

std::vector<std::string> split_list(const std::string& text, const std::string& option) {
  std::vector<std::string> words;
  std::size_t start = 0;
  for (;;) {
    const std::size_t comma = text.find(',', start);
    words.push_back(text.substr(start, comma == std::string::npos ? comma : comma - start));
    if (words.back().empty())
      throw UsageError(
          fmt::format("{}: needed words with commas between them, found {}", option, in_quotes(text)));
    if (comma == std::string::npos) return words;
    start = comma + 1;
  }
}

int parse_marks(const std::string& word) {
  const bool is_number =
      !word.empty() && word.size() <= 4 && word.find_first_not_of("0123456789") == std::string::npos;
  const int marks = is_number ? std::stoi(word) : -1;
  if (marks < 0 || marks > 1000)
    throw UsageError(fmt::format("--marks: needed an integer in 0..1000, found {}", in_quotes(word)));
  return marks;
}

std::vector<wl::WlTest> tests_of(const std::string& tests, const std::string& radii, const std::string& marks) {
  std::vector<wl::WlTest> result;
  for (const std::string& mark : split_list(marks, "--marks"))
    for (const std::string& word : split_list(tests, "--test"))
      for (const std::string& radius : split_list(radii, "--radius")) {
        wl::WlTest test = wl::parse_test(word);
        test.radius = graph::parse_radius(radius);
        test.marks = parse_marks(mark);
        if (std::find(result.begin(), result.end(), test) == result.end()) result.push_back(test);
      }
  return result;
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
