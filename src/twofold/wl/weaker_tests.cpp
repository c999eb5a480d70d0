#include "twofold/wl/weaker_tests.h"

#include <algorithm>

namespace twofold::wl {
namespace {

WlTest with_marks(WlTest test, int marks) {
  test.marks = marks;
  return test;
}

void add(std::vector<WlTest>& tests, const WlTest& test) {
  if (std::find(tests.begin(), tests.end(), test) == tests.end()) tests.push_back(test);
}

// `test` itself comes last.
std::vector<WlTest> up_to(const WlTest& test) {
  WlTest nodes;
  nodes.edge_labels = test.edge_labels;
  WlTest near = nodes;
  near.kind = Kind::kRows;
  std::vector<WlTest> tests = {nodes};
  if (test.kind == Kind::kTuples && test.k > 2) {
    // One place of the tuple that never changes is a mark.
    WlTest shorter = with_marks(test, test.marks + 1);
    --shorter.k;
    tests = up_to(shorter);
  } else {
    for (int m = 0; m <= test.marks; ++m) {
      if (test.kind == Kind::kRows && m > 0) add(tests, with_marks(nodes, m));
      if (test.kind != Kind::kVertices && test.kind != Kind::kEdges && m > 0) add(tests, with_marks(near, m));
      // The last place of a pair sees the nodes as 1-wl does where the first one is marked.
      if (test.kind == Kind::kTuples && m > 0 && m == test.marks) add(tests, with_marks(nodes, m + 1));
      add(tests, with_marks(test, m));
    }
  }
  add(tests, test);
  return tests;
}

}  // namespace

std::vector<WlTest> weaker_tests(const WlTest& test) {
  std::vector<WlTest> tests = up_to(test);
  tests.pop_back();
  return tests;
}

}  // namespace twofold::wl
