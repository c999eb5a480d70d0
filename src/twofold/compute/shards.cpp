#include "twofold/compute/shards.h"

#include <algorithm>
#include <cstring>

#include "twofold/base/error.h"

namespace twofold::compute {
namespace {

template <typename T>
std::string bytes_of(const T* values, std::size_t count) {
  return std::string(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// The parts of [begin, end) that come whole in [first, last), from left to right, largest ones alone.
template <typename Visit>
void for_each_whole(std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
                    const Visit& visit) {
  if (end <= first || last <= begin) return;
  if (first <= begin && end <= last) return visit(begin, end);
  const std::size_t middle = begin + (end - begin) / 2;
  for_each_whole(begin, middle, first, last, visit);
  for_each_whole(middle, end, first, last, visit);
}

// The sum of [begin, end), all own, in the place of the first.
template <typename T>
T* sum_own(std::size_t begin, std::size_t end, std::size_t first, std::size_t size, T* own) {
  T* const to = own + (begin - first) * size;
  if (end - begin == 1) return to;
  const std::size_t middle = begin + (end - begin) / 2;
  sum_own(begin, middle, first, size, own);
  const T* const more = sum_own(middle, end, first, size, own);
  for (std::size_t i = 0; i < size; ++i) to[i] += more[i];
  return to;
}

// Of [begin, end) from the sums of whole parts, which `next` gives from left to right; is_whole tells them.
template <typename T, typename IsWhole, typename Next>
void sum_parts(std::size_t begin, std::size_t end, std::size_t size, const IsWhole& is_whole, const Next& next,
               T* to) {
  if (is_whole(begin, end)) return next(to);
  const std::size_t middle = begin + (end - begin) / 2;
  std::vector<T> more(size);
  sum_parts(begin, middle, size, is_whole, next, to);
  sum_parts(middle, end, size, is_whole, next, more.data());
  for (std::size_t i = 0; i < size; ++i) to[i] += more[i];
}

}  // namespace

Shards::Shards(std::size_t num, Group* together) : count(num), own(num), group(together) {
  if (group == nullptr) return;
  TWOFOLD_CHECK(static_cast<std::size_t>(group->size()) <= count, "{} ranks for {} shards", group->size(),
                count);
  first = first_of(group->rank());
  own = first_of(group->rank() + 1) - first;
}

std::size_t Shards::first_of(int rank) const {
  return group == nullptr ? 0
                          : static_cast<std::size_t>(rank) * count / static_cast<std::size_t>(group->size());
}

void gather(const Shards& shards, std::size_t size, std::vector<double>& blocks) {
  if (shards.group == nullptr) return;
  const auto& all = shards.group->share(bytes_of(blocks.data() + shards.first * size, shards.own * size));
  for (int r = 0; r < shards.group->size(); ++r) {
    const std::string& message = all[static_cast<std::size_t>(r)];
    const std::size_t first = shards.first_of(r), count = shards.first_of(r + 1) - first;
    TWOFOLD_CHECK(message.size() == count * size * sizeof(double), "rank {} gave {} bytes", r, message.size());
    if (count > 0) std::memcpy(blocks.data() + first * size, message.data(), message.size());
  }
}

template <typename T>
std::vector<std::string> sum_shards(const Shards& shards, std::size_t size, T* own, T* sum,
                                    const std::string& message) {
  if (shards.group == nullptr) {
    std::copy_n(sum_own(0, shards.count, 0, size, own), size, sum);
    return {message};
  }
  std::string mine;
  for_each_whole(0, shards.count, shards.first, shards.first + shards.own,
                 [&](std::size_t begin, std::size_t end) {
                   mine += bytes_of(sum_own(begin, end, shards.first, size, own), size);
                 });
  const std::size_t num_bytes = mine.size();
  const auto& all = shards.group->share(mine + message);
  // Ranks have shards one after the other, so their parts come from left to right.
  std::vector<std::size_t> num_parts;
  std::vector<std::string> messages;
  for (int r = 0; r < shards.group->size(); ++r) {
    std::size_t parts = 0;
    for_each_whole(0, shards.count, shards.first_of(r), shards.first_of(r + 1),
                   [&](std::size_t, std::size_t) { ++parts; });
    const std::string& given = all[static_cast<std::size_t>(r)];
    TWOFOLD_CHECK(given.size() >= parts * size * sizeof(T), "rank {} gave {} bytes", r, given.size());
    num_parts.push_back(parts);
    messages.push_back(given.substr(parts * size * sizeof(T)));
  }
  TWOFOLD_CHECK(num_bytes == num_parts[static_cast<std::size_t>(shards.group->rank())] * size * sizeof(T));
  std::size_t rank = 0, part = 0;
  const auto next = [&](T* to) {
    while (part == num_parts[rank]) {
      ++rank;
      part = 0;
    }
    std::memcpy(to, all[rank].data() + part++ * size * sizeof(T), size * sizeof(T));
  };
  const auto is_whole = [&](std::size_t begin, std::size_t end) {
    for (int r = 0; r < shards.group->size(); ++r)
      if (shards.first_of(r) <= begin && end <= shards.first_of(r + 1)) return true;
    return false;
  };
  sum_parts(0, shards.count, size, is_whole, next, sum);
  return messages;
}

template std::vector<std::string> sum_shards(const Shards&, std::size_t, float*, float*, const std::string&);
template std::vector<std::string> sum_shards(const Shards&, std::size_t, double*, double*, const std::string&);

}  // namespace twofold::compute
