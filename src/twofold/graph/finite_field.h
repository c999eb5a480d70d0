#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twofold::graph {

/// The prime p and exponent k with q = p^k; exponent 0 if q is no prime power. O(√q).
struct PrimePower {
  std::size_t prime = 0;
  std::uint32_t exponent = 0;
};
PrimePower prime_power(std::size_t q);

/// The field of q elements, called 0…q-1: element x stands for the polynomial over the prime field whose
/// coefficients are x's digits to the base p, lowest first. 0 and 1 are the field's own.
/// The modulus is the first irreducible monic polynomial in the order of those numbers.
class FiniteField {
 public:
  /// Throws UsageError unless q is a prime power of at most 65535 (then products of coefficients fit 32 bits).
  explicit FiniteField(std::size_t q);

  std::uint32_t size() const { return q_; }
  /// O(k).
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const;
  /// O(k²).
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const;

 private:
  std::uint32_t q_;
  std::uint32_t p_;
  std::uint32_t k_;
  // The k + 1 coefficients of the modulus, lowest first; the highest is 1.
  std::vector<std::uint32_t> modulus_;
};

}  // namespace twofold::graph
