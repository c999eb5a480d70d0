#include "twofold/wl/wl_test.h"

#include <cstdlib>

#include "twofold/base/error.h"

namespace twofold::wl {
namespace {

// Tuples of two nodes alone would then be 2^100.
constexpr int kMostPlaces = 100;

// The value of 1 to 6 digits without a leading zero, or -1.
int small_number(const std::string& text) {
  if (text.empty() || text.size() > 6 || text[0] == '0') return -1;
  if (text.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::atoi(text.c_str());
}

}  // namespace

bool operator==(const WlTest& a, const WlTest& b) {
  if (a.kind != b.kind || a.marks != b.marks || a.edge_labels != b.edge_labels) return false;
  if (a.kind == Kind::kTuples) return a.k == b.k;
  return a.kind != Kind::kRows || a.radius == b.radius;
}

WlTest parse_test(const std::string& word) {
  WlTest test;
  if (word == "1-wl") return test;
  if (word == "2-wl") {
    test.kind = Kind::kRows;
    return test;
  }
  if (word == "2-gnn") {
    test.kind = Kind::kEdges;
    return test;
  }
  const std::string ending = "-fwl";
  if (word.size() > ending.size() && word.compare(word.size() - ending.size(), ending.size(), ending) == 0) {
    test.kind = Kind::kTuples;
    test.k = small_number(word.substr(0, word.size() - ending.size()));
    if (test.k >= 2 && test.k <= kMostPlaces) return test;
  }
  throw UsageError(fmt::format("needed a test (1-wl, 2-wl, 2-gnn, or k-fwl for k = 2 to {}), found {}",
                               kMostPlaces, in_quotes(word)));
}

std::string test_name(const WlTest& test) {
  switch (test.kind) {
    case Kind::kVertices:
      return "1-wl";
    case Kind::kTuples:
      return fmt::format("{}-fwl", test.k);
    case Kind::kRows:
      return "2-wl";
    case Kind::kEdges:
      return "2-gnn";
  }
  return {};
}

std::string radius_name(const WlTest& test) {
  if (test.kind != Kind::kRows) return {};
  return to_string(test.radius);
}

std::string describe(const WlTest& test) {
  std::string text = test_name(test);
  if (test.kind == Kind::kRows) text += ", radius " + radius_name(test);
  if (test.marks > 0) text += fmt::format(", {} mark{}", test.marks, test.marks == 1 ? "" : "s");
  return text;
}

}  // namespace twofold::wl
