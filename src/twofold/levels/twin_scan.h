#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/levels/level_table.h"
#include "twofold/levels/twin_rows.h"

namespace twofold::levels {

/// Finds for every row of a graph what makes its next color. Holds only buffers; one belongs to one thread.
class alignas(kApart) TwinScan {
 public:
  /// Calls visit(row, key) for each row, given a color per row, all below num_colors; key.hash is set, and the
  /// key is valid until visit returns. Loops, inner rows and pairs come node by node, always in the same order.
  /// O(sum over pairs of the smaller ball), and the time to sort as many colors row by row.
  template <typename Visit>
  void scan(const TwinRows& rows, const std::vector<Row>& colors, std::size_t num_colors, const Visit& visit) {
    begin(rows, colors, num_colors);
    const auto h = static_cast<std::uint32_t>(rows.twins.num_classes());
    for (std::uint32_t a = 0; a < h; ++a) {
      mark(a);
      collect_loop(a);
      visit(static_cast<Row>(a), key_of(a));
      if (rows.inner[a] != pairs::kNoRow) {
        collect_inner(a);
        visit(rows.inner[a], key_of(rows.inner[a]));
      }
      // The smaller ball is scanned, the larger one marked: the neighbors of a hub would else all scan its
      // ball.
      const std::uint64_t begin = rows.balls.offsets[a];
      const std::size_t size = rows.balls.size(a);
      for (std::size_t k = 0; k < size; ++k) {
        const Node b = rows.balls.nodes[begin + k];
        const std::size_t other = rows.balls.size(b);
        if (b == a || other > size || (other == size && b > a)) continue;
        const Row row = rows.ball_rows[begin + k];
        collect_pair(a, b, row);
        visit(row, key_of(row));
      }
      unmark(a);
    }
  }
  /// Triples of the row that is being visited, if nothing were merged.
  std::uint64_t num_triples() const { return num_triples_; }

 private:
  __extension__ using Wide = unsigned __int128;

  void begin(const TwinRows& rows, const std::vector<Row>& colors, std::size_t num_colors);
  void mark(std::uint32_t a);
  void unmark(std::uint32_t a);
  void collect_loop(std::uint32_t a);
  void collect_inner(std::uint32_t a);
  void collect_pair(std::uint32_t a, std::uint32_t b, Row row);
  TripleKey key_of(Row row);
  void add(Row x, Row y, std::uint32_t times);
  template <typename Word>
  void merge(std::vector<Word>& items);

  const TwinRows* rows_ = nullptr;
  const std::vector<Row>* colors_ = nullptr;
  // Colors x <= y and a weight w are one word x y w of so many bits each; words are sorted, then summed up.
  int color_bits_ = 0;
  int weight_bits_ = 0;
  bool is_wide_ = false;
  std::vector<Row> color_to_;     // of {a,l} between mark(a) and unmark(a), else kNoRow
  std::vector<Row> ball_colors_;  // parallel to balls.nodes
  std::vector<std::uint64_t> items_;
  std::vector<Wide> wide_items_;
  std::vector<RowPair> triples_;
  std::vector<std::uint32_t> multiplicity_;
  std::uint64_t num_triples_ = 0;
};

}  // namespace twofold::levels
