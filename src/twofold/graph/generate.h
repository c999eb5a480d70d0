#pragma once

// Every graph generator, by subject. Each subject offers the single graphs by name (`cycle_graph`,
// `paley_graph`, `random_tree`, …) and a dataset of them (`generate_cycles`, …) with an options struct;
// `twofold data generate` is a table over the latter.
//
// What holds for all of them:
// - Nothing is drawn from anywhere but the Random or the seed that is passed; graph i of a dataset draws from
//   stream i of the seed, so a dataset of 10 graphs is the beginning of one of 20.
// - The streams are frozen: the same seed gives the same graphs on every platform and in every release.
// - Parameters that no such graph exists for throw UsageError with what was needed and what was found.
// - Self-loops are never made. No generator uses threads.

#include "twofold/graph/generate_basic.h"             // complete, path, cycle, grid; renamed copies
#include "twofold/graph/generate_cfi.h"               // Cai, Fürer and Immerman's pairs over a base graph
#include "twofold/graph/generate_count.h"             // random graphs; how often patterns come is the target
#include "twofold/graph/generate_items.h"             // targets of nodes and of pairs: cycles, blocks, links
#include "twofold/graph/generate_molecule.h"          // valence-bounded labelled graphs with rings
#include "twofold/graph/generate_random.h"            // Erdős–Rényi, uniform trees
#include "twofold/graph/generate_regular.h"           // random regular graphs
#include "twofold/graph/generate_ring.h"              // unions of cycles, hyperloops, circular skip links
#include "twofold/graph/generate_siamese.h"           // two edge-labelled graphs that need ordered pairs
#include "twofold/graph/generate_strongly_regular.h"  // rook, Shrikhande, Paley, triangular, Chang, Latin square
#include "twofold/graph/generate_triangle.h"          // the dataset TRIANGLE
