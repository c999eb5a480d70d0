#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "twofold/compute/label_rows.h"
#include "twofold/compute/pair_plan.h"
#include "twofold/compute/pooling.h"

namespace twofold::compute {

/// How the rows of one layer come from those of the layer before: rows of graphs, where both are the same and
/// every row counts once, or colors, each as often as there are rows of it. Nothing is owned.
template <typename T>
struct NetStep {
  std::size_t num_sources = 0;
  std::size_t num_rows = 0;
  // Per row: the source it goes on from. Null: row f from source f.
  const std::uint32_t* own = nullptr;
  // Per source: the row of the batch's table that it began with. Null: source f with row f.
  const std::uint32_t* labels = nullptr;
  // Per row: how many equal ones it stands for. Null: 1.
  const T* counts = nullptr;

  // What is summed: triples, …
  const PairPlan* pairs = nullptr;
  // … or sources, each times a value, …
  SparseRows<T> neighbors;
  // … or (the 2-GNN's) first the rows at each node, then the nodes at the ends of each row, and of its own row
  // so many times.
  SparseRows<T> ends;
  const T* own_times = nullptr;
};

/// Columns of initial features that some rows have besides their label's: rows `first`… or those listed,
/// `count` rows of `columns` values, in the columns from `column` on. Rows of graphs alone have them.
template <typename T>
struct RowAttributes {
  const std::uint32_t* rows = nullptr;
  std::size_t first = 0;
  std::size_t count = 0;
  const T* values = nullptr;
  std::size_t column = 0;
  std::size_t columns = 0;
};

/// Graphs that go through a network together, with all their rows, or all colors of a batch. Nothing is owned.
template <typename T>
struct NetPart {
  // One per layer.
  std::vector<NetStep<T>> steps;
  std::vector<RowAttributes<T>> attributes;
  // One per layer that is read out (the others: null): num_kinds segments per graph, one graph after the other.
  std::vector<const PoolSegment*> segments;
  // Of a batch with a front: the rows of the front that the part goes on from, each once, and per source of the
  // part's first layer its place among them.
  const std::uint32_t* front_rows = nullptr;
  std::size_t num_front_rows = 0;
  const std::uint32_t* front_places = nullptr;
};

/// The first layers of a batch, computed on colors once for all of its parts (docs/colors.md). Parts go on from
/// there: their first `layers` steps are not looked at.
template <typename T>
struct NetFront {
  // 0: there is no front.
  std::size_t layers = 0;
  // A step per layer, and one more, of which num_sources and labels count: what the layer behind multiplies.
  NetPart<T> part;
  // Triples, for whether threads are worth while.
  std::size_t num_items = 0;
};

/// A batch, cut into parts by sizes alone: never by the number of threads.
template <typename T>
struct NetBatch {
  // The initial features that go with labels.
  SparseRows<T> table;
  struct Size {
    std::size_t first_graph = 0;
    std::size_t num_graphs = 0;
    // Rows, for handing out large parts first, and triples or neighbors, for whether threads are worth while.
    std::size_t num_rows = 0;
    std::size_t num_items = 0;
  };
  std::vector<Size> parts;
  // Makes a part; called once per part and pass, by any thread.
  std::function<void(std::size_t part, NetPart<T>& to)> fill;
  NetFront<T> front;
  std::size_t num_graphs = 0;
  // Whether rows are colors: then there is one part.
  bool has_colors = false;
  // From which dropout follows.
  std::uint64_t seed = 0;
};

}  // namespace twofold::compute
