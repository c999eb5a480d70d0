#pragma once

#include <string>

#include "twofold/graph/graph_builder.h"

namespace twofold::io {

/// Which data of edges a reader keeps.
struct EdgeData {
  bool labels = true;
  bool attributes = true;
};

/// The end of the message where an edge's two directions differ.
inline constexpr const char* kHowToDrop =
    "data convert --drop-data leaves out edge data that differs by direction";

/// Calls `build` with all edge data. Where that throws EdgeConflict, and `dropped` is given, it calls again
/// without the attributes, then without the labels, then without both, and says in `dropped` what was left out:
/// `edge attributes`. The data is left out of every graph: those of a dataset have data of one kind.
template <typename Build>
void without_conflicts(std::string* dropped, Build&& build) {
  if (dropped == nullptr) {
    build(EdgeData{});
    return;
  }
  struct Attempt {
    EdgeData kept;
    const char* dropped;
  };
  for (const Attempt& attempt : {Attempt{{true, true}, ""}, Attempt{{true, false}, "edge attributes"},
                                 Attempt{{false, true}, "edge labels"}}) {
    try {
      build(attempt.kept);
      *dropped = attempt.dropped;
      return;
    } catch (const EdgeConflict&) {  // the next attempt keeps less
    }
  }
  build(EdgeData{false, false});
  *dropped = "edge labels and attributes";
}

}  // namespace twofold::io
