#include "cli/pair_test.h"

#include "twofold/base/error.h"
#include "twofold/wl/random_net.h"

namespace twofold::cli {
namespace {

constexpr const char* kNet = "net:";
constexpr const char* kTrained = "trained:";

bool starts_with(const std::string& word, const char* start) { return word.rfind(start, 0) == 0; }

}  // namespace

PairTest parse_pair_test(const std::string& word) {
  PairTest result;
  if (starts_with(word, kNet)) result.judge = PairJudge::kNet;
  if (starts_with(word, kTrained)) result.judge = PairJudge::kTrained;
  if (result.judge == PairJudge::kExact) {
    result.test = wl::parse_test(word);
  } else {
    result.model = word.substr(word.find(':') + 1);
    result.test = wl::parse_net(result.model);
  }
  return result;
}

std::string test_word(const PairTest& test) {
  switch (test.judge) {
    case PairJudge::kNet:
      return kNet + test.model;
    case PairJudge::kTrained:
      return kTrained + test.model;
    default:
      return wl::test_name(test.test);
  }
}

std::string describe(const PairTest& test) {
  if (test.judge == PairJudge::kExact) return wl::describe(test.test);
  const std::string radius = wl::radius_name(test.test);
  return test_word(test) + (radius.empty() ? "" : ", radius " + radius) +
         (test.test.marks > 0 ? ", 1 mark" : "");
}

}  // namespace twofold::cli
