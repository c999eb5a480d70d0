#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/sparse_table.h"

namespace twofold::train {
namespace {

using model::ModelKind;

// Rows per part: some 3 KB each through three layers of width 32 and back, so that a part stays near the core.
constexpr std::size_t kPartRows = 256;

// What a graph's rows begin with.
template <typename T>
struct GraphInput {
  // Unless the dataset keeps them.
  std::vector<std::uint32_t> labels;
  // Per node, and per row that is an edge.
  std::vector<T> node_attributes;
  std::vector<std::uint32_t> edge_rows;
  std::vector<T> edge_attributes;
  // Per row, of simulated networks.
  std::vector<T> weights;
  // Per row: how often it counts. Empty: once.
  std::vector<std::uint64_t> times;
};

// One part with all that it refers to.
template <typename T>
struct RowPart {
  compute::PairPlan plan;
  SparseTable<T> neighbors;
  SparseTable<T> ends;
  std::vector<T> own_times;
  std::vector<std::uint32_t> labels;
  std::vector<T> node_attributes;
  std::vector<std::uint32_t> edge_rows;
  std::vector<T> edge_attributes;
  std::vector<T> weights;
  // Per row: how often it counts. Empty: once.
  std::vector<T> counts;
  std::vector<compute::PoolSegment> segments;
  // By kind: the rows of edges and of indirect pairs, and how often they count, if not once.
  std::vector<std::uint32_t> kind_rows;
  std::vector<std::uint64_t> kind_counts;
};

template <typename T>
class RowBatches : public BatchMaker<T> {
 public:
  RowBatches(const EncodedDataset& data, const model::ModelOptions& model, const compute::NetShape& shape,
             const FeatureScaling& scaling)
      : data_(data), model_(model), shape_(shape), scaling_(scaling) {
    make_table();
    if (has_pairs() && data.is_streamed()) return;
    for (std::uint32_t g = 0; g < data.num_graphs(); ++g) {
      const pairs::PairSet* set = nullptr;
      PairSlice slice;
      if (has_pairs()) {
        slice = data.pair_sets(std::vector<std::uint32_t>{g});
        set = slice.sets[0];
      }
      kept_.push_back(input_of(g, set));
    }
  }

  const compute::NetBatch<T>& make(const Batch& given, std::size_t slot) override {
    while (slots_.size() <= slot) slots_.push_back(std::make_unique<Slot>());
    Slot& made = *slots_[slot];
    compute::NetBatch<T>& batch = made.batch;
    batch.fill = [this, &made](std::size_t p, compute::NetPart<T>& to) { fill(made, p, to); };
    made.items = given.graphs;
    made.graphs.clear();
    made.first_item.clear();
    for (std::size_t i = 0; i < made.items.size(); ++i) {
      const std::uint32_t graph = data_.graph_of(made.items[i]);
      // Nodes and pairs of one graph stand one after the other; a graph itself may come twice.
      if (i > 0 && !data_.items.empty() && graph == made.graphs.back()) continue;
      made.graphs.push_back(graph);
      made.first_item.push_back(i);
    }
    made.first_item.push_back(made.items.size());
    batch.table = table_.view();
    batch.num_graphs = made.items.size();
    batch.seed = given.seed;
    if (has_pairs()) made.slice = data_.pair_sets(made.graphs);
    made.inputs.clear();
    if (kept_.empty())
      for (std::size_t i = 0; i < made.graphs.size(); ++i)
        made.inputs.push_back(input_of(made.graphs[i], made.slice.sets[i]));
    // The borders depend on the batch alone.
    batch.parts.clear();
    made.first_of_part.clear();
    for (std::size_t i = 0; i < made.graphs.size(); ++i) {
      const std::size_t rows = data_.num_rows(made.graphs[i]);
      if (batch.parts.empty() || batch.parts.back().num_rows + rows > kPartRows) {
        batch.parts.emplace_back();
        batch.parts.back().first_graph = made.first_item[i];
        made.first_of_part.push_back(i);
      }
      batch.parts.back().num_graphs += made.first_item[i + 1] - made.first_item[i];
      batch.parts.back().num_rows += rows;
    }
    made.first_of_part.push_back(made.graphs.size());
    if (made.parts.size() < batch.parts.size()) made.parts.resize(batch.parts.size());
    return batch;
  }

  // About its triples, which pairs that are made for each batch do not tell; else its neighbors.
  std::uint64_t cost(std::uint32_t graph) const override {
    const std::uint64_t rows = data_.num_rows(graph), nodes = data_.graphs()[graph].num_nodes();
    if (model_.model != ModelKind::k2WlGnn || nodes == 0)
      return 8 * rows + 2 * data_.graphs()[graph].num_edges() + 1;
    return 8 * rows + static_cast<std::uint64_t>(static_cast<double>(rows) *
                                                 (2 * static_cast<double>(rows) / static_cast<double>(nodes)));
  }

 private:
  // A batch: its items, their graphs, where those of each graph begin, and with which graph each part does.
  struct Slot {
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> graphs;
    std::vector<std::size_t> first_item;
    std::vector<std::size_t> first_of_part;
    PairSlice slice;
    std::vector<GraphInput<T>> inputs;  // unless they are kept
    std::vector<RowPart<T>> parts;
    compute::NetBatch<T> batch;
  };

  bool has_pairs() const { return model::has_pair_rows(model_.model); }
  bool by_kind() const { return shape_.readouts[0].num_kinds > 1; }

  void make_table() {
    const pairs::FeatureLayout& layout = data_.layout().features;
    for (std::size_t label = 0; label < data_.num_labels(); ++label) {
      // Nodes without labels and attributes have one constant column.
      if (layout.columns() == 0) table_.put(0, T{1});
      layout.for_each_label_value(label, scaling_, [&](std::size_t column, float value) {
        table_.put(static_cast<std::uint32_t>(column), static_cast<T>(value));
      });
      table_.end_row();
    }
  }

  GraphInput<T> input_of(std::uint32_t number, const pairs::PairSet* set) const {
    const Graph& g = data_.graphs()[number];
    const pairs::FeatureLayout& layout = data_.layout().features;
    GraphInput<T> input;
    if (!data_.has_labels_only()) {
      input.labels.resize(data_.num_rows(number));
      data_.write_labels(number, set, input.labels.data());
    }
    const Span<const std::uint32_t> node_times = data_.node_times(number);
    for (std::size_t row = 0; !node_times.empty() && row < data_.num_rows(number); ++row)
      input.times.push_back(node_times[has_pairs() ? set->first[row] : row]);
    // As floats, whatever T is: that is what a network reads.
    std::vector<float> values(layout.node_attributes);
    for (Node v = 0; v < g.num_nodes() && !values.empty(); ++v) {
      layout.write_node_attributes(g, v, scaling_, values.data());
      input.node_attributes.insert(input.node_attributes.end(), values.begin(), values.end());
    }
    if (!has_pairs()) return input;
    if (layout.edge_attributes > 0) {
      values.resize(layout.edge_attributes);
      const auto add_edge = [&](std::size_t row, std::size_t edge) {
        input.edge_rows.push_back(static_cast<std::uint32_t>(row));
        layout.write_edge_attributes(g, edge, scaling_, values.data());
        input.edge_attributes.insert(input.edge_attributes.end(), values.begin(), values.end());
      };
      pairs::for_each_pair_row(*set, add_edge, [](std::size_t) {});
    }
    const std::size_t columns = num_columns(data_.layout().weights);
    if (columns == 0) return input;
    std::vector<double> weights(set->num_rows() * columns);
    data_.write_weights(number, *set, weights.data());
    input.weights.assign(weights.begin(), weights.end());
    return input;
  }

  void fill(Slot& made, std::size_t p, compute::NetPart<T>& to) const {
    RowPart<T>& part = made.parts[p];
    part.labels.clear();
    part.node_attributes.clear();
    part.edge_rows.clear();
    part.edge_attributes.clear();
    part.weights.clear();
    part.counts.clear();
    part.segments.clear();
    part.kind_rows.clear();
    part.kind_counts.clear();
    part.neighbors.clear();
    part.ends.clear();
    part.own_times.clear();
    to.attributes.clear();
    const InputLayout& layout = data_.layout();
    const std::size_t node_column = layout.features.node_attribute_column();
    std::vector<const pairs::PairSet*> sets;
    std::size_t first_row = 0;
    count_kind_rows(made, p, part);
    for (std::size_t i = made.first_of_part[p]; i < made.first_of_part[p + 1]; ++i) {
      const GraphInput<T>& input = kept_.empty() ? made.inputs[i] : kept_[made.graphs[i]];
      const std::size_t rows = data_.num_rows(made.graphs[i]);
      const std::size_t nodes = data_.graphs()[made.graphs[i]].num_nodes();
      if (has_pairs()) sets.push_back(made.slice.sets[i]);
      part.labels.resize(first_row + rows);
      if (data_.has_labels_only())
        data_.write_labels(made.graphs[i], has_pairs() ? made.slice.sets[i] : nullptr,
                           part.labels.data() + first_row);
      else
        std::copy(input.labels.begin(), input.labels.end(), part.labels.data() + first_row);
      if (model_.about != TargetOf::kGraphs)
        add_items(made, i, first_row, part);
      else if (by_kind())
        add_kinds(*made.slice.sets[i], input.times, first_row, part);
      else
        part.segments.push_back({nullptr, input.times.empty() ? nullptr : input.times.data(), first_row,
                                 model_.loops_only ? nodes : rows});
      part.counts.insert(part.counts.end(), input.times.begin(), input.times.end());
      if (layout.features.node_attributes > 0)
        to.attributes.push_back({nullptr, first_row, nodes, input.node_attributes.data(), node_column,
                                 layout.features.node_attributes});
      for (const std::uint32_t row : input.edge_rows)
        part.edge_rows.push_back(static_cast<std::uint32_t>(first_row + row));
      part.edge_attributes.insert(part.edge_attributes.end(), input.edge_attributes.begin(),
                                  input.edge_attributes.end());
      part.weights.insert(part.weights.end(), input.weights.begin(), input.weights.end());
      add_neighbors(made, i, static_cast<std::uint32_t>(first_row), part);
      first_row += rows;
    }
    if (has_pairs() && layout.features.edge_attributes > 0)
      to.attributes.push_back({part.edge_rows.data(), 0, part.edge_rows.size(), part.edge_attributes.data(),
                               layout.features.edge_attribute_column(), layout.features.edge_attributes});
    if (!part.weights.empty())
      to.attributes.push_back(
          {nullptr, 0, first_row, part.weights.data(), layout.features.columns(), num_columns(layout.weights)});
    if (model_.model == ModelKind::k2WlGnn) part.plan = compute::make_plan(pairs::make_batch(sets));

    compute::NetStep<T> step;
    step.num_sources = step.num_rows = first_row;
    step.labels = part.labels.data();
    if (!part.counts.empty()) step.counts = part.counts.data();
    to.steps.assign(shape_.stack.layers.size(), step);
    to.segments.assign(shape_.stack.layers.size(), part.segments.data());
    for (std::size_t k = 0; k < to.steps.size(); ++k) {
      switch (shape_.stack.layers[k].sum) {
        case compute::LayerShape::Sum::kNone:
          break;
        case compute::LayerShape::Sum::kPairs:
          to.steps[k].pairs = &part.plan;
          break;
        case compute::LayerShape::Sum::kNeighbors:
          to.steps[k].neighbors = part.neighbors.view();
          if (model_.model != ModelKind::k2Gnn) break;
          to.steps[k].ends = part.ends.view();
          to.steps[k].own_times = part.own_times.data();
          break;
      }
    }
  }

  // So that pointers into the list stay where they are.
  void count_kind_rows(const Slot& made, std::size_t p, RowPart<T>& part) const {
    if (model_.about != TargetOf::kGraphs) part.kind_rows.reserve(3 * made.batch.parts[p].num_graphs);
    if (model_.about != TargetOf::kGraphs || !by_kind()) return;
    std::size_t count = 0;
    for (std::size_t i = made.first_of_part[p]; i < made.first_of_part[p + 1]; ++i)
      count += made.slice.sets[i]->num_rows() - made.slice.sets[i]->num_nodes();
    part.kind_rows.reserve(count);
    part.kind_counts.reserve(count);
  }

  static void add_kinds(const pairs::PairSet& set, const std::vector<std::uint64_t>& times,
                        std::size_t first_row, RowPart<T>& part) {
    const bool has_times = !times.empty();
    part.segments.push_back({nullptr, has_times ? times.data() : nullptr, first_row, set.num_nodes()});
    for (const pairs::RowKind kind : {pairs::RowKind::kEdge, pairs::RowKind::kIndirect}) {
      const std::size_t begin = part.kind_rows.size();
      for (std::size_t row = set.num_nodes(); row < set.num_rows(); ++row) {
        if (set.kind[row] != kind) continue;
        part.kind_rows.push_back(static_cast<std::uint32_t>(first_row + row));
        if (has_times) part.kind_counts.push_back(times[row]);
      }
      part.segments.push_back({part.kind_rows.data() + begin,
                               has_times ? part.kind_counts.data() + begin : nullptr, 0,
                               part.kind_rows.size() - begin});
    }
  }

  // A node reads out its own row; a link those of both ends and, where pairs are rows, that of the pair if it
  // has one. Loops come first among the rows of pairs, so a node's row has its number everywhere.
  void add_items(const Slot& made, std::size_t i, std::size_t first_row, RowPart<T>& part) const {
    for (std::size_t k = made.first_item[i]; k < made.first_item[i + 1]; ++k) {
      const Item item = data_.items[made.items[k]];
      if (model_.about == TargetOf::kNodes) {
        part.segments.push_back({nullptr, nullptr, first_row + item.u, 1});
        continue;
      }
      const std::size_t begin = part.kind_rows.size();
      for (const Node end : {item.u, item.v})
        part.kind_rows.push_back(static_cast<std::uint32_t>(first_row + end));
      part.segments.push_back({part.kind_rows.data() + begin, nullptr, 0, 2});
      if (!has_pairs()) continue;
      const pairs::Row row = made.slice.sets[i]->find_row(item.u, item.v);
      const bool has_row = row != pairs::kNoRow;
      part.segments.push_back({nullptr, nullptr, first_row + (has_row ? row : 0), has_row ? 1U : 0U});
    }
  }

  void add_neighbors(const Slot& made, std::size_t i, std::uint32_t first_row, RowPart<T>& part) const {
    if (model_.model == ModelKind::k2WlGnn || model_.model == ModelKind::kMlp) return;
    if (model_.model == ModelKind::k2Gnn) {
      // Rows at each node, then the nodes at each row's ends, of which it is itself one row each. (Value by
      // value, this took a tenth of an epoch.)
      const pairs::PairSet& set = *made.slice.sets[i];
      const auto first_node = static_cast<std::uint32_t>(part.neighbors.num_rows());
      const std::size_t nodes = set.num_nodes(), rows = set.num_rows();
      const auto at_nodes = part.neighbors.grow(nodes, set.ball_rows.size());
      for (std::size_t v = 0; v < nodes; ++v)
        at_nodes.ends[v] = at_nodes.begin + static_cast<std::uint32_t>(set.balls.offsets[v + 1]);
      for (std::size_t k = 0; k < set.ball_rows.size(); ++k) at_nodes.columns[k] = first_row + set.ball_rows[k];
      std::fill_n(at_nodes.values, set.ball_rows.size(), T{1});
      // Loops come first, and have one end.
      const auto at_rows = part.ends.grow(rows, 2 * rows - nodes);
      std::fill_n(at_rows.values, 2 * rows - nodes, T{1});
      std::uint32_t* column = at_rows.columns;
      for (std::size_t row = 0; row < rows; ++row) {
        *column++ = first_node + set.first[row];
        if (row >= nodes) *column++ = first_node + set.second[row];
        at_rows.ends[row] = at_rows.begin + static_cast<std::uint32_t>(column - at_rows.columns);
      }
      const std::size_t before = part.own_times.size();
      part.own_times.resize(before + rows, T{-2});
      std::fill_n(part.own_times.data() + before, nodes, T{-1});
      return;
    }
    const VertexLists& lists = data_.vertex_lists();
    const std::uint64_t first = data_.first_node(made.graphs[i]);
    const std::size_t nodes = data_.num_rows(made.graphs[i]);
    for (std::size_t v = 0; v < nodes; ++v) {
      const double row_scale = lists.row_scale.empty() ? 1 : lists.row_scale[first + v];
      for (std::uint64_t k = lists.offsets[first + v]; k < lists.offsets[first + v + 1]; ++k) {
        const std::uint32_t source = lists.sources[k];
        const double scale =
            lists.source_scale.empty() ? row_scale : row_scale * lists.source_scale[first + source];
        part.neighbors.put(first_row + source, static_cast<T>(scale));
      }
      if (model_.model == ModelKind::kGin) part.neighbors.put(first_row + static_cast<std::uint32_t>(v), T{1});
      part.neighbors.end_row();
    }
  }

  const EncodedDataset& data_;
  model::ModelOptions model_;
  const compute::NetShape& shape_;
  FeatureScaling scaling_;
  SparseTable<T> table_;
  // Per graph; none if the data is streamed.
  std::vector<GraphInput<T>> kept_;

  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace

template <typename T>
std::unique_ptr<BatchMaker<T>> make_row_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                const compute::NetShape& shape, const FeatureScaling& scaling) {
  return std::make_unique<RowBatches<T>>(data, model, shape, scaling);
}

template std::unique_ptr<BatchMaker<float>> make_row_batches(const EncodedDataset&, const model::ModelOptions&,
                                                             const compute::NetShape&, const FeatureScaling&);
template std::unique_ptr<BatchMaker<double>> make_row_batches(const EncodedDataset&, const model::ModelOptions&,
                                                              const compute::NetShape&, const FeatureScaling&);

}  // namespace twofold::train
