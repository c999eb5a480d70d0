#include "twofold/base/spelling.h"

#include <algorithm>
#include <cstddef>

namespace twofold {
namespace {

// Letters to change, add, drop or swap with their neighbor to make b of a.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const std::size_t change = steps[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      steps[i][j] = std::min({change, steps[i - 1][j] + 1, steps[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  return steps[a.size()][b.size()];
}

}  // namespace

std::string most_similar(const std::string& given, const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 100;  // nobody misspells more, and the table is quadratic
  if (given.size() > kLongest) return "";
  std::string best;
  std::size_t fewest = 0;
  for (const std::string& word : words) {
    // A beginning, such as --thread, counts as one letter: it is how people shorten.
    const bool begins = given.size() >= 4 && word.rfind(given, 0) == 0;
    const std::size_t steps = begins ? 1 : distance(given, word);
    if (steps > std::max<std::size_t>(1, std::min(given.size(), word.size()) / 3)) continue;
    if (best.empty() || steps < fewest) {
      best = word;
      fewest = steps;
    }
  }
  return best;
}

}  // namespace twofold
