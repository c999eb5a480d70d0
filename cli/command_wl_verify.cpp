#include "cli/command_wl_verify.h"

#include <fmt/ostream.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/command.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/parallel.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/certificate_checker.h"

namespace twofold::cli {
namespace {

struct Claim {
  std::size_t line = 0;  // in the file, from 1
  nlohmann::json text;
  std::size_t first = 0, second = 0;  // graphs, from 0
  std::string verdict;
  std::string wrong;  // nothing: it is true
};

std::vector<Claim> read_claims(const WlVerifyOptions& options, std::size_t num_graphs) {
  const std::string content = read_file(options.certificates);
  std::vector<Claim> claims;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const std::string line = content.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    Claim claim;
    claim.line = number;
    claim.text = nlohmann::json::parse(line, nullptr, false);
    if (!claim.text.is_object())
      throw_input_error(options.certificates, number, "a JSON object as wl pairs --certify writes",
                        in_quotes(line));
    try {
      const std::vector<std::size_t> graphs = claim.text.at("graphs");
      claim.verdict = claim.text.at("verdict");
      if (graphs.size() != 2 || graphs[0] < 1 || graphs[1] < 1 || graphs[0] > num_graphs ||
          graphs[1] > num_graphs)
        throw_input_error(options.certificates, number, fmt::format("two graphs of 1..{}", num_graphs),
                          claim.text["graphs"].dump());
      claim.first = graphs[0] - 1;
      claim.second = graphs[1] - 1;
    } catch (const nlohmann::json::exception&) {
      throw_input_error(options.certificates, number, "keys graphs and verdict as wl pairs --certify writes",
                        in_quotes(line));
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

void check_claim(const Dataset& dataset, Claim& claim) {
  try {
    claim.wrong = wl::check_certificate(dataset.graphs[claim.first], dataset.graphs[claim.second], claim.text);
  } catch (const nlohmann::json::exception&) {
    claim.wrong = "a key lacks or has another kind of value";
  }
}

std::size_t count_verdicts(const std::vector<Claim>& claims, const std::string& verdict) {
  std::size_t count = 0;
  for (const Claim& claim : claims) count += claim.wrong.empty() && claim.verdict == verdict;
  return count;
}

}  // namespace

void declare_wl_verify(Options& flags, WlVerifyOptions& options) {
  flags.add("DATASET", options.dataset, "The graphs that wl pairs was asked about").required().type_name("");
  flags.add("CERTIFICATES", options.certificates, "What wl pairs --certify wrote").required().type_name("");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  flags.footer(R"(
Checks every line from the graphs alone, by plain code that shares nothing with the tests: both graphs are refined by
the definition, for as many rounds as the line says, and what it says is counted. Every choice of marked nodes is tried.
False lines are told, and the exit code is then 1.

Examples:
  twofold wl pairs pairs.g6 --test 2-wl --marks 1 --certify why.jsonl
  twofold wl verify pairs.g6 why.jsonl)");
}

int run_wl_verify(const WlVerifyOptions& options, std::ostream& out, std::ostream& err) {
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  std::vector<Claim> claims = read_claims(options, dataset.graphs.size());
  {
    ProgressOptions shown;
    shown.label = options.certificates;
    shown.unit = "certificates";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    const Progress progress = line.progress();
    std::mutex guard;
    std::size_t done = 0;
    parallel_for(claims.size(), options.threads, [&](std::size_t i) {
      check_claim(dataset, claims[i]);
      const std::lock_guard<std::mutex> lock(guard);
      if (progress) progress(++done, claims.size());
    });
  }
  const std::size_t distinguished = count_verdicts(claims, "distinguished");
  const std::size_t isomorphic = count_verdicts(claims, "isomorphic");
  const std::size_t unknown = count_verdicts(claims, "not told apart");
  const std::size_t wrong = claims.size() - distinguished - isomorphic - unknown;
  if (options.json) {
    auto errors = nlohmann::ordered_json::array();
    for (const Claim& claim : claims)
      if (!claim.wrong.empty()) errors.push_back({{"line", claim.line}, {"wrong", claim.wrong}});
    const nlohmann::ordered_json result = {{"certificates", claims.size()},
                                           {"distinguished", distinguished},
                                           {"isomorphic", isomorphic},
                                           {"not_told_apart", unknown},
                                           {"false", wrong},
                                           {"errors", std::move(errors)}};
    out << result.dump() << '\n';
    return wrong == 0 ? 0 : 1;
  }
  fmt::print(out, "{} certificate{}: {} distinguished, {} isomorphic, {} without a claim, {} false\n",
             claims.size(), claims.size() == 1 ? "" : "s", distinguished, isomorphic, unknown, wrong);
  for (const Claim& claim : claims)
    if (!claim.wrong.empty())
      fmt::print(out, "line {}: graphs {} and {}: {}\n", claim.line, claim.first + 1, claim.second + 1,
                 claim.wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace twofold::cli
