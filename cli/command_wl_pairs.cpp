#include "cli/command_wl_pairs.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/trained_separation.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/pair_certificate.h"
#include "twofold/wl/random_net.h"

namespace twofold::cli {

namespace {

// Every test with every radius and number of marks, each once, as tests_of does for exact tests.
std::vector<PairTest> pair_tests(const WlPairsOptions& options) {
  std::vector<PairTest> tests;
  for (const std::string& marks : split_list(options.marks, "--marks"))
    for (const std::string& word : split_list(options.test, "--test"))
      for (const std::string& radius : split_list(options.radius, "--radius")) {
        PairTest test = parse_pair_test(word);
        test.test.radius = graph::parse_radius(radius);
        test.test.marks = parse_marks(marks);
        if (test.judge != PairJudge::kExact && !wl::has_network(test.test))
          throw UsageError(fmt::format(
              "needed --marks 0, or 1 for gin and for 2-wl-gnn with a radius other than all, found {} "
              "with {}",
              test.test.marks, describe(test)));
        const bool is_known = std::any_of(tests.begin(), tests.end(), [&](const PairTest& other) {
          return other.judge == test.judge && other.model == test.model && other.test == test.test;
        });
        if (!is_known) tests.push_back(test);
      }
  return tests;
}

// What one test says; controls are those of trained networks.
struct Answer {
  std::vector<bool> verdicts;
  Controls controls;

  std::size_t distinguished() const {
    return static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), true));
  }
};

Answer ask(const PairTest& test, const Dataset& dataset, const WlPairsOptions& options, std::ostream& err) {
  Answer answer;
  answer.verdicts = compute_with_progress(options, err, "pairs", [&](const wl::ClassifyOptions& how) {
    if (dataset.graphs.size() % 2 != 0)
      throw InputError(
          fmt::format("needed an even number of graphs to pair them, found {}", dataset.graphs.size()));
    if (test.judge == PairJudge::kTrained)
      return separate_by_training(dataset.graphs, test.model, test.test, options.seed, answer.controls, how);
    if (test.judge == PairJudge::kExact) return wl::distinguish_pairs(dataset.graphs, test.test, how);
    wl::NetOptions net;
    net.seed = options.seed;
    return wl::distinguish_pairs_by_nets(dataset.graphs, test.test, net, how);
  });
  return answer;
}

nlohmann::ordered_json pairs_json(const PairTest& test, const Answer& answer, const WlPairsOptions& options) {
  auto result = to_json(test.test);
  result["test"] = test_word(test);
  if (test.judge != PairJudge::kExact) result["seed"] = options.seed;
  result["pairs"] = answer.verdicts.size();
  result["distinguished"] = answer.distinguished();
  result["verdicts"] = answer.verdicts;
  if (test.judge == PairJudge::kTrained)
    result["controls"] = {{"number", answer.controls.number}, {"told_apart", answer.controls.told_apart}};
  return result;
}

void print_pairs(const std::vector<PairTest>& tests, const std::vector<Answer>& answers, std::ostream& out) {
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const Answer& answer = answers[t];
    fmt::print(out, "{}: {} of {} pair{} distinguished", describe(tests[t]), answer.distinguished(),
               answer.verdicts.size(), answer.verdicts.size() == 1 ? "" : "s");
    if (answer.controls.number > 0)
      fmt::print(out, ", {} of {} controls", answer.controls.told_apart, answer.controls.number);
    out << '\n';
  }
  for (std::size_t p = 0; p < answers.front().verdicts.size(); ++p) {
    std::size_t t = 0;
    while (t < tests.size() && !answers[t].verdicts[p]) ++t;
    std::string words = t == tests.size() ? "not told apart" : "distinguished";
    if (tests.size() > 1 && t < tests.size()) words += " by " + describe(tests[t]);
    fmt::print(out, "graphs {} and {}: {}\n", 2 * p + 1, 2 * p + 2, words);
  }
}

// One line per pair: what docs/commands/wl_pairs.md says.
nlohmann::ordered_json certificate_json(std::size_t pair, const wl::PairCertificate& found) {
  using Verdict = wl::PairCertificate::Verdict;
  nlohmann::ordered_json line = {{"graphs", {2 * pair + 1, 2 * pair + 2}}};
  switch (found.verdict) {
    case Verdict::kDistinguished:
      line["verdict"] = "distinguished";
      line.update(to_json(found.test));
      line["rounds"] = found.rounds;
      line["graph"] = found.graph + 1;
      line["nodes"] = found.nodes;
      line["counts"] = found.counts;
      break;
    case Verdict::kIsomorphic:
      line["verdict"] = "isomorphic";
      line["image"] = found.image;
      break;
    case Verdict::kNotToldApart:
      line["verdict"] = "not told apart";
      break;
  }
  return line;
}

void write_certificates(const wl::WlTest& test, const Dataset& dataset, const WlPairsOptions& options,
                        std::ostream& err) {
  AtomicFile file(options.certificate);
  compute_with_progress(options, err, "certificates", [&](const wl::ClassifyOptions& how) {
    wl::ClassifyOptions quietly = how;
    quietly.progress = nullptr;
    const std::size_t num_pairs = dataset.graphs.size() / 2;
    for (std::size_t p = 0; p < num_pairs; ++p) {
      const Span<const Graph> two(&dataset.graphs[2 * p], 2);
      file.write(certificate_json(p, wl::certify_pair(two, test, quietly)).dump() + "\n");
      if (how.progress) how.progress(p + 1, num_pairs);
    }
    return 0;
  });
  file.commit();
}

}  // namespace

void declare_wl_pairs(Options& flags, WlPairsOptions& options) {
  declare_wl_lists(flags, options);
  flags.find("test")->meaning(
      "1-wl, 2-wl, 2-gnn, k-fwl; net:MODEL or trained:MODEL for 2-wl-gnn, 2-gnn or gin; several with commas");
  flags.find("radius")->meaning("2-wl and 2-wl-gnn: pairs up to this distance, or all; several with commas");
  declare_seed(flags, options.seed);
  flags.add("--certify", options.certificate, "Write what differs, or the isomorphism, one JSON line per pair")
      .type_name("FILE");
  flags.footer(R"(
Graphs 1 and 2 are a pair, 3 and 4 are, and so on. Each pair is refined only until its two graphs differ.
The answer is exact. With --json a verdict is true for a pair that is distinguished. Of several tests the first that
distinguishes a pair is named; with --json there is a list. wl ladder shows many tests as a table.

--certify writes for each distinguished pair a color, or marks, that come unequally often in its two graphs, and for
isomorphic ones the mapping; a checker needs nothing but the graphs.

net:MODEL asks networks with random weights, three a pair, as deep as they need: what they tell apart, the exact test
does (gin: 1-wl, 2-wl-gnn: 2-wl). With --marks 1 they read every graph once per node, that node marked, as train
--marks 1 does. trained:MODEL trains one on each pair and compares relabeled copies of both graphs; its controls are
copies of one graph against others of it, of which none should be told apart.

Examples:
  twofold wl pairs pairs.g6 --test 2-fwl
  twofold wl pairs pairs.g6 --test 1-wl,2-wl,2-fwl --radius 1,all --marks 0,1
  twofold wl pairs pairs.g6 --test 2-wl --radius all --marks 1 --certify why.jsonl
  twofold wl pairs pairs.g6 --test net:2-wl-gnn --radius 2)");
}

int run_wl_pairs(const WlPairsOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<PairTest> tests = pair_tests(options);
  if (!options.certificate.empty()) {
    if (tests.size() > 1 || tests.front().judge != PairJudge::kExact)
      throw UsageError(fmt::format("--certify needed one exact --test, found {}", in_quotes(options.test)));
    require_output_apart(options.certificate, {input_of_dataset(options.dataset)});
    const AtomicFile file(options.certificate);  // whether there can be one, before the long work
  }
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  std::vector<Answer> answers;
  for (const PairTest& test : tests) answers.push_back(ask(test, dataset, options, err));
  if (!options.certificate.empty()) write_certificates(tests.front().test, dataset, options, err);
  if (!options.json) {
    print_pairs(tests, answers, out);
    return 0;
  }
  auto all = nlohmann::ordered_json::array();
  for (std::size_t t = 0; t < tests.size(); ++t) all.push_back(pairs_json(tests[t], answers[t], options));
  out << (tests.size() == 1 ? all.front() : all).dump() << '\n';
  return 0;
}

}  // namespace twofold::cli
