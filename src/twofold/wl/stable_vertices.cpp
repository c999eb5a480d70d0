#include "twofold/wl/stable_vertices.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/wl/joint_run.h"

namespace twofold::wl {
namespace {

// All graphs side by side; node v of graph g is number offsets[g] + v.
struct Union {
  std::vector<std::size_t> first;   // n + 1 positions in `ends`
  std::vector<std::uint32_t> ends;  // the neighbors
  // Parallel to ends: a number per label and direction. Empty if num_kinds is 1.
  std::vector<std::uint32_t> edge_kinds;
  std::size_t num_kinds = 1;
};

// What the edge to the i-th neighbor of v is, seen from v.
std::uint64_t kind_of_end(const Graph& g, Node v, std::size_t i, bool use_labels) {
  const auto direction = static_cast<std::uint64_t>(g.direction(v, i));
  if (!use_labels || !g.has_edge_labels()) return direction;
  const Label label = g.edge_labels()[g.incident_edges(v)[i]];
  return direction | 4 | std::uint64_t{static_cast<std::uint32_t>(label)} << 3;
}

Union unite(Span<const Graph> graphs, const std::vector<std::size_t>& offsets, bool use_labels) {
  Union all;
  std::vector<std::uint64_t> kinds = {0};
  std::size_t num_ends = 0;
  for (const Graph& g : graphs) {
    num_ends += 2 * g.num_edges();
    if (g.is_directed()) {
      kinds.push_back(static_cast<std::uint64_t>(Direction::kOut));
      kinds.push_back(static_cast<std::uint64_t>(Direction::kIn));
    }
    if (!use_labels) continue;
    for (const Label label : g.edge_labels())
      for (std::uint64_t direction = 0; direction < (g.is_directed() ? 3 : 1); ++direction)
        kinds.push_back(direction | 4 | std::uint64_t{static_cast<std::uint32_t>(label)} << 3);
  }
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  all.num_kinds = kinds.size();
  all.first.reserve(offsets.back() + 1);
  all.first.push_back(0);
  all.ends.reserve(num_ends);
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (Node v = 0; v < graphs[i].num_nodes(); ++v) {
      for (const Node u : graphs[i].neighbors(v))
        all.ends.push_back(static_cast<std::uint32_t>(offsets[i] + u));
      all.first.push_back(all.ends.size());
      if (all.num_kinds == 1) continue;
      for (std::size_t end = 0; end < graphs[i].degree(v); ++end) {
        const auto at =
            std::lower_bound(kinds.begin(), kinds.end(), kind_of_end(graphs[i], v, end, use_labels));
        all.edge_kinds.push_back(static_cast<std::uint32_t>(at - kinds.begin()));
      }
    }
  return all;
}

class Partition {
 public:
  Partition(const Union& all, const std::vector<Color>& colors, std::size_t num_colors)
      : all_(all), class_of_(colors), place_(colors.size()), members_(colors.size()), count_(colors.size(), 0) {
    classes_.resize(num_colors);
    for (const Color c : colors) ++classes_[c].size;
    std::uint32_t begin = 0;
    for (Class& c : classes_) {
      c.begin = begin;
      begin += c.size;
    }
    std::vector<std::uint32_t> next;
    for (const Class& c : classes_) next.push_back(c.begin);
    for (std::uint32_t v = 0; v < colors.size(); ++v) {
      place_[v] = next[colors[v]]++;
      members_[place_[v]] = v;
    }
    for (Color c = 0; c < num_colors; ++c) waiting_.push_back(c);
  }

  void refine() {
    std::vector<std::uint32_t> splitter;
    while (!waiting_.empty()) {
      check_interrupt();
      const Class& c = classes_[waiting_.back()];
      waiting_.pop_back();
      splitter.assign(members_.begin() + c.begin, members_.begin() + c.begin + c.size);
      if (all_.num_kinds == 1)
        split_by_plain_edges(splitter);
      else
        split_by_labelled_edges(splitter);
    }
  }

  const std::vector<Color>& class_of() const { return class_of_; }
  std::size_t num_classes() const { return classes_.size(); }

 private:
  struct Class {
    std::uint32_t begin = 0;  // its nodes are members_[begin]…members_[begin+size-1]
    std::uint32_t size = 0;
    std::uint32_t touched = 0;  // that many at the end have count_ > 0
  };

  void split_by_plain_edges(const std::vector<std::uint32_t>& splitter) {
    for (const std::uint32_t u : splitter)
      for (std::size_t e = all_.first[u]; e < all_.first[u + 1]; ++e) touch(all_.ends[e]);
    split_touched();
  }

  void split_by_labelled_edges(const std::vector<std::uint32_t>& splitter) {
    by_kind_.clear();
    for (const std::uint32_t u : splitter)
      for (std::size_t e = all_.first[u]; e < all_.first[u + 1]; ++e)
        by_kind_.emplace_back(all_.edge_kinds[e], all_.ends[e]);
    std::sort(by_kind_.begin(), by_kind_.end());
    for (std::size_t i = 0; i < by_kind_.size(); ++i) {
      touch(by_kind_[i].second);
      if (i + 1 == by_kind_.size() || by_kind_[i + 1].first != by_kind_[i].first) split_touched();
    }
  }

  // Counts one edge from the splitter to v, and keeps touched nodes at the end of their class.
  void touch(std::uint32_t v) {
    if (count_[v]++ > 0) return;
    Class& c = classes_[class_of_[v]];
    if (c.touched++ == 0) touched_classes_.push_back(class_of_[v]);
    const std::uint32_t target = c.begin + c.size - c.touched;
    const std::uint32_t other = members_[target];
    std::swap(members_[target], members_[place_[v]]);
    place_[other] = place_[v];
    place_[v] = target;
  }

  void split_touched() {
    for (const Color c : touched_classes_) split(c);
    touched_classes_.clear();
  }

  void split(Color c) {
    const Class whole = classes_[c];
    const std::uint32_t end = whole.begin + whole.size;
    const std::uint32_t first_touched = end - whole.touched;
    const auto by_count = [&](std::uint32_t a, std::uint32_t b) { return count_[a] < count_[b]; };
    const auto begin_of = members_.begin() + first_touched;
    const auto end_of = members_.begin() + end;
    const bool one_count = std::all_of(
        begin_of, end_of, [&](std::uint32_t v) { return count_[v] == count_[members_[first_touched]]; });
    if (!one_count) {
      std::sort(begin_of, end_of, by_count);
      for (std::uint32_t at = first_touched; at < end; ++at) place_[members_[at]] = at;
    }
    classes_[c].touched = 0;
    if (one_count && first_touched == whole.begin) {
      for (std::uint32_t at = first_touched; at < end; ++at) count_[members_[at]] = 0;
      return;
    }
    // The parts: untouched nodes, then each count.
    borders_.assign(1, whole.begin);
    if (first_touched > whole.begin) borders_.push_back(first_touched);
    for (std::uint32_t at = first_touched + 1; at < end; ++at)
      if (count_[members_[at]] != count_[members_[at - 1]]) borders_.push_back(at);
    borders_.push_back(end);
    for (std::uint32_t at = first_touched; at < end; ++at) count_[members_[at]] = 0;
    std::size_t largest = 0;
    for (std::size_t p = 1; p + 1 < borders_.size(); ++p)
      if (borders_[p + 1] - borders_[p] > borders_[largest + 1] - borders_[largest]) largest = p;
    // The largest keeps the number: if that class still waits to split others, so it does; if it has done so
    // before, the counts of the other parts determine those of this one.
    for (std::size_t p = 0; p + 1 < borders_.size(); ++p) {
      const std::uint32_t size = borders_[p + 1] - borders_[p];
      if (p == largest) {
        classes_[c].begin = borders_[p];
        classes_[c].size = size;
        continue;
      }
      const auto number = static_cast<Color>(classes_.size());
      classes_.push_back({borders_[p], size, 0});
      waiting_.push_back(number);
      for (std::uint32_t at = borders_[p]; at < borders_[p + 1]; ++at) class_of_[members_[at]] = number;
    }
  }

  const Union& all_;
  std::vector<Color> class_of_;
  std::vector<std::uint32_t> place_;    // members_[place_[v]] == v
  std::vector<std::uint32_t> members_;  // the nodes, class by class
  std::vector<std::uint32_t> count_;    // edges from the splitter; 0 between splits
  std::vector<Class> classes_;
  std::vector<Color> waiting_;  // classes that have not split others since they came to be
  std::vector<Color> touched_classes_;
  std::vector<std::uint32_t> borders_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_kind_;
};

}  // namespace

Coloring stable_vertices(Span<const Graph> graphs, const WlTest& test) {
  std::vector<std::unique_ptr<Objects>> owned;
  std::vector<Objects*> parts;
  for (const Graph& g : graphs) {
    owned.push_back(make_vertex_objects(g, test));
    parts.push_back(owned.back().get());
  }
  RefineOptions initial;
  initial.max_rounds = 0;
  Coloring coloring = refine_together(parts, test, initial);
  owned.clear();
  coloring.is_stable = true;
  if (coloring.colors.empty()) return coloring;

  const Union all = unite(graphs, coloring.offsets, test.edge_labels);
  Partition partition(all, coloring.colors, coloring.num_colors);
  partition.refine();
  constexpr Color kNone = std::numeric_limits<Color>::max();
  std::vector<Color> number(partition.num_classes(), kNone);
  Color next = 0;
  for (std::size_t v = 0; v < coloring.colors.size(); ++v) {
    Color& n = number[partition.class_of()[v]];
    if (n == kNone) n = next++;
    coloring.colors[v] = n;
  }
  coloring.num_colors = next;
  return coloring;
}

}  // namespace twofold::wl
