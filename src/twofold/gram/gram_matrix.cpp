#include "twofold/gram/gram_matrix.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"

namespace twofold::gram {

std::string to_text(Wide value) {
  if (value == 0) return "0";
  const bool is_negative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (is_negative ? -digit : digit)));
  }
  if (is_negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Wide GramMatrix::trace() const {
  Wide sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += own(i);
  return sum;
}

Wide GramMatrix::total() const {
  Wide sum = 0;
  for (const std::int64_t value : values) sum += value;
  return sum;
}

void GramMatrix::normalized_row(std::size_t i, std::vector<double>& row) const {
  row.assign(size, 0);
  const double root = std::sqrt(static_cast<double>(own(i)));
  if (root == 0) return;
  for (std::size_t j = 0; j < size; ++j)
    if (own(j) > 0) row[j] = static_cast<double>(at(i, j)) / (root * std::sqrt(static_cast<double>(own(j))));
  row[i] = 1;
}

void GramMatrix::check() const {
  TWOFOLD_CHECK(values.size() == size * size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      TWOFOLD_CHECK(at(i, j) == at(j, i) && at(i, j) >= 0);
      TWOFOLD_CHECK(Wide{at(i, j)} * at(i, j) <= Wide{at(i, i)} * at(j, j));
    }
}

}  // namespace twofold::gram
