#include "twofold/graph/finite_field.h"

#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

// A polynomial's coefficients below p, lowest first.
using Polynomial = std::vector<std::uint32_t>;

// The monic polynomial of this degree whose lower coefficients are the digits of `number`.
Polynomial monic(std::uint32_t number, std::uint32_t degree, std::uint32_t p) {
  Polynomial result(degree + 1, 1);
  for (std::uint32_t i = 0; i < degree; ++i, number /= p) result[i] = number % p;
  return result;
}

// Whether the monic polynomial `divisor` divides `f`.
bool divides(const Polynomial& divisor, Polynomial f, std::uint32_t p) {
  while (f.size() >= divisor.size()) {
    const std::uint32_t factor = f.back();
    const std::size_t shift = f.size() - divisor.size();
    for (std::size_t i = 0; i < divisor.size(); ++i)
      f[shift + i] = (f[shift + i] + (p - factor) * divisor[i]) % p;
    f.pop_back();
  }
  for (const std::uint32_t coefficient : f)
    if (coefficient != 0) return false;
  return true;
}

// A reducible polynomial has a monic factor of at most half its degree.
bool is_irreducible(const Polynomial& f, std::uint32_t p) {
  const auto degree = static_cast<std::uint32_t>(f.size() - 1);
  std::uint32_t count = 1;
  for (std::uint32_t d = 1; 2 * d <= degree; ++d) {
    count *= p;
    for (std::uint32_t number = 0; number < count; ++number)
      if (divides(monic(number, d, p), f, p)) return false;
  }
  return true;
}

}  // namespace

PrimePower prime_power(std::size_t q) {
  if (q < 2) return {};
  std::size_t p = 2;
  while (p <= q / p && q % p != 0) ++p;
  if (p > q / p) p = q;
  PrimePower result = {p, 0};
  for (; q % p == 0; q /= p) ++result.exponent;
  if (q != 1) return {};
  return result;
}

FiniteField::FiniteField(std::size_t q) {
  if (q > 65535)
    throw UsageError(fmt::format("a finite field of twofold has at most 65535 elements, found {}", q));
  const PrimePower power = prime_power(q);
  if (power.exponent == 0)
    throw UsageError(fmt::format("the size of a finite field needs to be a prime power, found {}", q));
  q_ = static_cast<std::uint32_t>(q);
  p_ = static_cast<std::uint32_t>(power.prime);
  k_ = power.exponent;
  std::uint32_t number = 0;
  do modulus_ = monic(number++, k_, p_);
  while (!is_irreducible(modulus_, p_));
}

std::uint32_t FiniteField::add(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t result = 0;
  for (std::uint32_t place = 1; place < q_; place *= p_, a /= p_, b /= p_)
    result += (a % p_ + b % p_) % p_ * place;
  return result;
}

std::uint32_t FiniteField::subtract(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t result = 0;
  for (std::uint32_t place = 1; place < q_; place *= p_, a /= p_, b /= p_)
    result += (a % p_ + p_ - b % p_) % p_ * place;
  return result;
}

std::uint32_t FiniteField::multiply(std::uint32_t a, std::uint32_t b) const {
  // Horner's rule in the polynomials' variable: the product so far times the variable, plus b's next
  // coefficient times a.
  Polynomial digits_of_b;
  for (std::uint32_t i = 0; i < k_; ++i, b /= p_) digits_of_b.push_back(b % p_);
  Polynomial product(k_, 0);
  for (std::uint32_t step = k_; step-- > 0;) {
    const std::uint32_t top = product.back();
    for (std::uint32_t i = k_; i-- > 0;)
      product[i] = ((i > 0 ? product[i - 1] : 0) + (p_ - top) % p_ * modulus_[i]) % p_;
    std::uint32_t rest = a;
    for (std::uint32_t i = 0; i < k_; ++i, rest /= p_)
      product[i] = (product[i] + rest % p_ * digits_of_b[step]) % p_;
  }
  std::uint32_t result = 0;
  for (std::uint32_t i = k_; i-- > 0;) result = result * p_ + product[i];
  return result;
}

}  // namespace twofold::graph
