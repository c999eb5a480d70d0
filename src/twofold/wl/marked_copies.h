#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/hashed_run.h"
#include "twofold/wl/symmetry.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// A graph with marks on an ordered tuple of distinct nodes; without marks a graph has one copy.
struct MarkedCopy {
  std::size_t graph;
  MarkOrbit marks;
};

/// The copies of all graphs, one for each orbit (or without options.shortcuts one for each tuple), graph by
/// graph in ascending order of tuples. Throws Error if they alone need more memory than the options allow.
std::vector<MarkedCopy> list_copies(Span<const Graph> graphs, const WlTest& test,
                                    const ClassifyOptions& options);

/// What a stable run shows. Different ones prove different classes.
struct CopyPicture {
  std::uint64_t num_rounds = 0;
  Picture picture;
};
bool operator==(const CopyPicture& a, const CopyPicture& b);
bool operator<(const CopyPicture& a, const CopyPicture& b);

/// Runs one copy after the other to stability, and builds a graph's objects only when the graph changes.
class CopyRunner {
 public:
  CopyRunner(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options, int threads)
      : graphs_(graphs), test_(test), run_(options.hash_mask, threads) {}

  const HashedRun& run(const MarkedCopy& copy);
  CopyPicture picture() const { return {run_.num_rounds(), run_.picture()}; }

 private:
  Span<const Graph> graphs_;
  WlTest test_;
  std::size_t graph_ = static_cast<std::size_t>(-1);
  std::unique_ptr<Objects> objects_;
  HashedRun run_;
};

/// The pictures of copies, in parallel.
std::vector<CopyPicture> take_pictures(Span<const Graph> graphs, const std::vector<MarkedCopy>& copies,
                                       const WlTest& test, const ClassifyOptions& options);

/// For each graph the pictures of all its copies, each as often as there are tuples; throws as classify does.
std::vector<std::vector<CopyPicture>> picture_graphs(Span<const Graph> graphs, const WlTest& test,
                                                     const ClassifyOptions& options);

/// The exact class of every copy, whose picture is given; classes are numbered by their first copy.
/// Copies of different pictures differ. Those of one picture are compared without hashes, and refined together
/// should hashes have collided.
Classes classify_copies(Span<const Graph> graphs, const std::vector<MarkedCopy>& copies,
                        const std::vector<CopyPicture>& pictures, const WlTest& test,
                        const ClassifyOptions& options);

}  // namespace twofold::wl
