#include "twofold/wl/marked_copies.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/joint_run.h"

namespace twofold::wl {
namespace {

auto key(const CopyPicture& p) {
  return std::tie(p.num_rounds, p.picture.num_objects, p.picture.num_colors, p.picture.histogram);
}

}  // namespace

std::vector<MarkedCopy> list_copies(Span<const Graph> graphs, const WlTest& test,
                                    const ClassifyOptions& options) {
  // A copy with its picture, and once more in the tables that group them.
  constexpr std::uint64_t kACopy = 256;
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  std::vector<MarkedCopy> copies;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::uint64_t most = limit / kACopy - std::min<std::uint64_t>(limit / kACopy, copies.size());
    try {
      for (MarkOrbit& orbit : mark_orbits(graphs[g], test.edge_labels, test.marks, options.shortcuts, most))
        copies.push_back({g, std::move(orbit)});
    } catch (const TooManyOrbits& found) {
      const std::uint64_t count = std::min(found.at_least, std::uint64_t{1} << 50) + copies.size();
      require_memory(fmt::format("{} of graph {} ({} nodes)", describe(test), g + 1, graphs[g].num_nodes()),
                     count * kACopy, limit);
    }
  }
  return copies;
}

bool operator==(const CopyPicture& a, const CopyPicture& b) { return key(a) == key(b); }
bool operator<(const CopyPicture& a, const CopyPicture& b) { return key(a) < key(b); }

const HashedRun& CopyRunner::run(const MarkedCopy& copy) {
  if (copy.graph != graph_ || !objects_) {
    objects_ = make_objects(graphs_[copy.graph], test_);
    graph_ = copy.graph;
  }
  objects_->set_marks(copy.marks.nodes);
  run_.start(*objects_);
  run_.run_until_stable();
  return run_;
}

std::vector<CopyPicture> take_pictures(Span<const Graph> graphs, const std::vector<MarkedCopy>& copies,
                                       const WlTest& test, const ClassifyOptions& options) {
  std::vector<CopyPicture> pictures(copies.size());
  // Runs of copies, so that a graph's objects serve many marks; few enough a run to keep all threads busy.
  const auto threads = static_cast<std::size_t>(resolve_threads(options.threads));
  const std::size_t chunk = std::clamp<std::size_t>(copies.size() / (threads * 16), 1, 64);
  std::mutex guard;
  std::size_t done = 0;
  parallel_for((copies.size() + chunk - 1) / chunk, options.threads, [&](std::size_t at) {
    CopyRunner runner(graphs, test, options, options.threads);
    const std::size_t last = std::min(copies.size(), (at + 1) * chunk);
    for (std::size_t i = at * chunk; i < last; ++i) {
      runner.run(copies[i]);
      pictures[i] = runner.picture();
    }
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    done += last - at * chunk;
    options.progress(done, copies.size());
  });
  return pictures;
}

namespace {

// The copies of one picture, or some of them with the first one in front.
struct Group {
  std::vector<std::size_t> copies;
};

// One number for each different histogram of stable colors.
std::vector<std::uint32_t> classify_together(Span<const Graph> graphs, const std::vector<MarkedCopy>& copies,
                                             const std::vector<std::size_t>& chosen, const WlTest& test,
                                             const ClassifyOptions& options) {
  std::vector<std::unique_ptr<Objects>> owned;
  std::vector<Objects*> parts;
  for (const std::size_t i : chosen) {
    const Graph& g = graphs[copies[i].graph];
    owned.push_back(make_objects(g, test));
    owned.back()->set_marks(copies[i].marks.nodes);
    parts.push_back(owned.back().get());
  }
  RefineOptions refine_options;
  refine_options.threads = options.threads;
  refine_options.hash_mask = options.hash_mask;
  const Coloring coloring = refine_together(parts, test, refine_options);
  std::map<std::vector<std::pair<Color, std::size_t>>, std::uint32_t> number;
  std::vector<std::uint32_t> class_of;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    class_of.push_back(
        number.emplace(coloring.histogram(i), static_cast<std::uint32_t>(number.size())).first->second);
  return class_of;
}

}  // namespace

Classes classify_copies(Span<const Graph> graphs, const std::vector<MarkedCopy>& copies,
                        const std::vector<CopyPicture>& pictures, const WlTest& test,
                        const ClassifyOptions& options) {
  std::map<CopyPicture, std::vector<std::size_t>> by_picture;
  for (std::size_t i = 0; i < copies.size(); ++i) by_picture[pictures[i]].push_back(i);

  struct Task {
    const std::vector<std::size_t>* group;
    std::size_t first, last;  // members of the group to compare with its first one
    bool failed = false;
  };
  constexpr std::size_t kMembers = 32;
  std::vector<Task> tasks;
  for (const auto& [picture, group] : by_picture)
    for (std::size_t first = 1; first < group.size(); first += kMembers)
      tasks.push_back({&group, first, std::min(group.size(), first + kMembers)});
  parallel_for(tasks.size(), options.threads, [&](std::size_t t) {
    Task& task = tasks[t];
    CopyRunner leader(graphs, test, options, options.threads);
    CopyRunner member(graphs, test, options, options.threads);
    const HashedRun& first = leader.run(copies[task.group->front()]);
    for (std::size_t i = task.first; i < task.last && !task.failed; ++i)
      task.failed =
          !certify_equal(first, member.run(copies[(*task.group)[i]]), i > task.first, options.threads);
  });

  // leader[i]: the first copy of i's class.
  std::vector<std::size_t> leader(copies.size());
  for (const auto& [picture, group] : by_picture)
    for (const std::size_t i : group) leader[i] = group.front();
  const std::vector<std::size_t>* last_failed = nullptr;
  for (const Task& task : tasks) {
    if (!task.failed || task.group == last_failed) continue;
    last_failed = task.group;
    const auto class_of = classify_together(graphs, copies, *task.group, test, options);
    std::vector<std::size_t> first_of;
    for (std::size_t i = 0; i < class_of.size(); ++i) {
      if (class_of[i] == first_of.size()) first_of.push_back((*task.group)[i]);
      leader[(*task.group)[i]] = first_of[class_of[i]];
    }
  }
  Classes classes;
  classes.class_of.resize(copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i)
    classes.class_of[i] =
        leader[i] == i ? static_cast<std::uint32_t>(classes.num_classes++) : classes.class_of[leader[i]];
  return classes;
}

}  // namespace twofold::wl
