#include "twofold/wl/hashed_run.h"

#include <algorithm>
#include <unordered_map>

#include "twofold/base/error.h"
#include "twofold/wl/certify.h"
#include "twofold/wl/color_numbers.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

constexpr std::uint64_t kSecondFactor = 0x6a09e667f3bcc908u;

}  // namespace

std::size_t DistinctCounter::count(Span<const std::uint64_t> values) {
  int bits = 4;
  while ((std::size_t{1} << bits) < 2 * values.size()) ++bits;
  slots_.assign(std::size_t{1} << bits, 0);
  const std::size_t mask = slots_.size() - 1;
  // Zero stands for a free slot and is counted apart. Values are hashes already: their low bits will do.
  std::size_t count = 0;
  bool has_zero = false;
  for (const std::uint64_t value : values) {
    if (value == 0) {
      has_zero = true;
      continue;
    }
    std::size_t at = value & mask;
    while (slots_[at] != 0 && slots_[at] != value) at = (at + 1) & mask;
    count += slots_[at] == 0;
    slots_[at] = value;
  }
  return count + has_zero;
}

bool operator==(const Picture& a, const Picture& b) {
  return a.num_objects == b.num_objects && a.num_colors == b.num_colors && a.histogram == b.histogram;
}

void HashedRun::start(Objects& objects) {
  objects_ = &objects;
  num_rounds_ = 0;
  is_stable_ = objects.size() == 0;
  values_.resize(objects.size());
  sums_.resize(objects.size());
  objects.start_values(values_);
  for (std::uint64_t& value : values_) value = mix(value) & hash_mask_;
  take_picture();
}

void HashedRun::step() {
  objects_->neighborhood_sums(values_, sums_, threads_);
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = mix(values_[i], sums_[i]) & hash_mask_;
  const std::uint64_t before = picture_.num_colors;
  take_picture();
  // A hash may merge colors that were apart before; that is no refinement, so stop there too.
  is_stable_ = picture_.num_colors <= before;
  ++num_rounds_;
}

void HashedRun::run_until_stable() {
  while (!is_stable_) step();
}

void HashedRun::take_picture() {
  picture_.num_colors = distinct_.count(values_);
  if (objects_->is_weighted()) {
    std::uint64_t total = 0;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::uint64_t weight = objects_->weight(i);
      total += weight;
      first += weight * values_[i];
      second += weight * pair_product(values_[i], kSecondFactor);
    }
    picture_.num_objects = total;
    picture_.histogram = {first & hash_mask_, second & hash_mask_};
    return;
  }
  picture_.num_objects = values_.size();
  // Values are hashes themselves, so sums of them and of their products with something will do.
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (const std::uint64_t value : values_) {
    first += value;
    second += pair_product(value, kSecondFactor);
  }
  picture_.histogram = {first & hash_mask_, second & hash_mask_};
}

namespace {

// A graph whose nodes all have colors of their own is the same as another iff the nodes of equal color match.
enum class Match { kIsomorphic, kUnknown };
Match match_discrete(const HashedRun& a, const HashedRun& b) {
  const Graph& g = a.objects().graph();
  const Graph& h = b.objects().graph();
  const std::size_t n = g.num_nodes();
  if (h.num_nodes() != n || h.num_edges() != g.num_edges()) return Match::kUnknown;
  std::unordered_map<std::uint64_t, Node> node_of_color;
  for (Node v = 0; v < n; ++v) node_of_color.emplace(a.values()[a.objects().object_of_node(v)], v);
  if (node_of_color.size() < n) return Match::kUnknown;
  std::vector<Node> image(n);  // of h's nodes in g
  std::vector<char> is_image(n, 0);
  for (Node v = 0; v < n; ++v) {
    const auto found = node_of_color.find(b.values()[b.objects().object_of_node(v)]);
    if (found == node_of_color.end() || is_image[found->second]) return Match::kUnknown;
    image[v] = found->second;
    is_image[image[v]] = 1;
  }
  return is_isomorphism(b.objects(), a.objects(), image) ? Match::kIsomorphic : Match::kUnknown;
}

}  // namespace

bool certify_equal(const HashedRun& first, const HashedRun& second, bool trust_first, int threads) {
  TWOFOLD_CHECK(first.is_stable() && second.is_stable() && first.picture() == second.picture());
  if (match_discrete(first, second) == Match::kIsomorphic) return true;
  if (first.objects().size() >= std::size_t{1} << 30)
    throw Error(fmt::format("comparing graphs needs fewer than 2^30 objects each, there are {}",
                            first.objects().size()));
  Suggestion s;
  s.add(first.objects());
  s.add(second.objects());
  s.colors.reserve(s.offsets.back());
  ColorNumbers numbers(2 * first.picture().num_colors);
  for (const HashedRun* run : {&first, &second})
    for (const std::uint64_t value : run->values()) s.colors.push_back(numbers.number(0, value));
  s.num_colors = numbers.size();
  s.old_colors = s.colors;
  s.num_old_colors = s.num_colors;
  // Equitable, finer than the initial colors, and equally many objects of a color on both sides: then the
  // coarsest such coloring, which joint refinement gives, is no finer on one side than on the other either.
  std::vector<std::ptrdiff_t> balance(s.num_colors, 0);
  for (std::size_t i = 0; i < first.values().size(); ++i)
    balance[s.colors[i]] += static_cast<std::ptrdiff_t>(first.objects().weight(i));
  for (std::size_t i = 0; i < second.values().size(); ++i)
    balance[s.colors[s.offsets[1] + i]] -= static_cast<std::ptrdiff_t>(second.objects().weight(i));
  if (std::any_of(balance.begin(), balance.end(), [](std::ptrdiff_t b) { return b != 0; })) return false;
  return is_exact(s, Compare::kBoth, trust_first, threads);
}

}  // namespace twofold::wl
