#include "twofold/levels/twin_scan.h"

#include <algorithm>

#include "twofold/base/error.h"

namespace twofold::levels {
namespace {

int bits_for(std::uint64_t values) {
  int bits = 0;
  while (bits < 64 && (values >> bits) > 0) ++bits;
  return bits;
}

}  // namespace

void TwinScan::begin(const TwinRows& rows, const std::vector<Row>& colors, std::size_t num_colors) {
  rows_ = &rows;
  colors_ = &colors;
  color_bits_ = std::max(1, bits_for(num_colors));
  weight_bits_ = rows.has_twins ? std::max(2, bits_for(rows.largest)) : 0;
  is_wide_ = 2 * color_bits_ + weight_bits_ > 64;
  if (color_to_.size() < rows.twins.num_classes()) color_to_.resize(rows.twins.num_classes(), pairs::kNoRow);
  ball_colors_.resize(rows.ball_rows.size());
  for (std::size_t k = 0; k < ball_colors_.size(); ++k) ball_colors_[k] = colors[rows.ball_rows[k]];
}

void TwinScan::mark(std::uint32_t a) {
  const std::uint64_t begin = rows_->balls.offsets[a];
  const std::uint64_t end = rows_->balls.offsets[a + std::size_t{1}];
  for (std::uint64_t k = begin; k < end; ++k) color_to_[rows_->balls.nodes[k]] = ball_colors_[k];
  color_to_[a] = pairs::kNoRow;  // the nodes of the class itself are looked at apart
}

void TwinScan::unmark(std::uint32_t a) {
  for (const Node b : rows_->balls.of(a)) color_to_[b] = pairs::kNoRow;
}

inline void TwinScan::add(Row x, Row y, std::uint32_t times) {
  const std::uint64_t low = std::min(x, y);
  const std::uint64_t high = std::max(x, y);
  // Without twins all but one word, the two ends of an inner row, would weigh 1: no bits are spent on it.
  if (is_wide_)
    wide_items_.push_back((Wide{(low << 32) | high} << 32) | times);
  else
    items_.push_back((((low << color_bits_) | high) << weight_bits_) | (weight_bits_ > 0 ? times : 0));
}

void TwinScan::collect_loop(std::uint32_t a) {
  const Row loop = (*colors_)[a];
  add(loop, loop, 1);
  for (std::uint64_t k = rows_->balls.offsets[a]; k < rows_->balls.offsets[a + std::size_t{1}]; ++k) {
    const Node l = rows_->balls.nodes[k];
    if (l != a) add(ball_colors_[k], ball_colors_[k], rows_->twins.size[l]);
  }
  if (rows_->inner[a] == pairs::kNoRow) return;
  const Row inner = (*colors_)[rows_->inner[a]];
  add(inner, inner, rows_->twins.size[a] - 1);
}

void TwinScan::collect_inner(std::uint32_t a) {
  const Row inner = (*colors_)[rows_->inner[a]];
  add((*colors_)[a], inner, 2);
  if (rows_->twins.size[a] > 2) add(inner, inner, rows_->twins.size[a] - 2);
  for (std::uint64_t k = rows_->balls.offsets[a]; k < rows_->balls.offsets[a + std::size_t{1}]; ++k) {
    const Node l = rows_->balls.nodes[k];
    if (l != a) add(ball_colors_[k], ball_colors_[k], rows_->twins.size[l]);
  }
}

void TwinScan::collect_pair(std::uint32_t a, std::uint32_t b, Row row) {
  const std::vector<Row>& colors = *colors_;
  const Row own = colors[row];
  add(colors[a], own, 1);
  add(own, colors[b], 1);
  for (const std::uint32_t end : {a, b})
    if (rows_->inner[end] != pairs::kNoRow) add(colors[rows_->inner[end]], own, rows_->twins.size[end] - 1);
  const std::uint64_t begin = rows_->balls.offsets[b];
  const std::size_t size = rows_->balls.size(b);
  const Node* nodes = rows_->balls.nodes.data() + begin;
  const Row* ball_colors = ball_colors_.data() + begin;
  if (is_wide_) {
    for (std::size_t k = 0; k < size; ++k)
      if (nodes[k] != b && color_to_[nodes[k]] != pairs::kNoRow)
        add(color_to_[nodes[k]], ball_colors[k], rows_->twins.size[nodes[k]]);
    return;
  }
  // Written first and counted after, so that nothing branches on the outcome.
  std::size_t count = items_.size();
  items_.resize(count + size);
  std::uint64_t* items = items_.data();
  const std::uint32_t* weights = rows_->twins.size.data();
  for (std::size_t k = 0; k < size; ++k) {
    const Node l = nodes[k];
    const Row x = color_to_[l];
    const Row y = ball_colors[k];
    const std::uint64_t low = std::min(x, y);
    const std::uint64_t high = std::max(x, y);
    items[count] = (((low << color_bits_) | high) << weight_bits_) | (weight_bits_ > 0 ? weights[l] : 0);
    count += (x != pairs::kNoRow) & (l != b);
  }
  items_.resize(count);
}

template <typename Word>
void TwinScan::merge(std::vector<Word>& items) {
  const int color_bits = is_wide_ ? 32 : color_bits_;
  const int weight_bits = is_wide_ ? 32 : weight_bits_;
  if (items.size() <= 24) {
    for (std::size_t i = 1; i < items.size(); ++i) {
      const Word item = items[i];
      std::size_t at = i;
      for (; at > 0 && items[at - 1] > item; --at) items[at] = items[at - 1];
      items[at] = item;
    }
  } else {
    std::sort(items.begin(), items.end());
  }
  const Word color_mask = (Word{1} << color_bits) - 1;
  const Word weight_mask = (Word{1} << weight_bits) - 1;
  for (std::size_t k = 0; k < items.size();) {
    const Word pair = items[k] >> weight_bits;
    std::uint64_t times = 0;
    for (; k < items.size() && items[k] >> weight_bits == pair; ++k)
      times += weight_bits > 0 ? static_cast<std::uint64_t>(items[k] & weight_mask) : 1;
    if (times > 0x7fffffffu)
      throw Error(fmt::format("a pair has {} triples of one color, 2^31-1 at most", times));
    triples_.push_back({static_cast<Row>(pair >> color_bits), static_cast<Row>(pair & color_mask)});
    multiplicity_.push_back(static_cast<std::uint32_t>(times));
    num_triples_ += times;
  }
  items.clear();
}

TripleKey TwinScan::key_of(Row row) {
  triples_.clear();
  multiplicity_.clear();
  num_triples_ = 0;
  if (is_wide_)
    merge(wide_items_);
  else
    merge(items_);
  TripleKey key{(*colors_)[row], triples_, multiplicity_, 0};
  key.hash = hash_class(key);
  return key;
}

}  // namespace twofold::levels
