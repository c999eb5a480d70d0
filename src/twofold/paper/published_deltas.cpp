#include <cstddef>

#include "twofold/paper/published.h"

namespace twofold::paper {
namespace {

// Rows of published_results().
enum Row : std::size_t {
  kSt1,
  kSt3,
  kSt5,
  kSp3,
  kLwl,
  kGwl,
  kBaseline,
  kGin,
  kGnnMean,
  kGnnWeighted,
  kPairsMean,
  kPairsWeighted,
};

// From the half above the diagonal, row by row: what stands below it is the same with the other sign.
PublishedDeltas matrix(std::vector<std::size_t> learners, const std::vector<Figure>& above) {
  const std::size_t count = learners.size();
  std::vector<std::vector<Figure>> deltas(count, std::vector<Figure>(count, {kNone, kNone}));
  std::size_t next = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) {
      deltas[a][b] = above.at(next++);
      deltas[b][a] = {-deltas[a][b].mean, deltas[a][b].std};
    }
  return {std::move(learners), std::move(deltas)};
}

}  // namespace

const std::vector<PublishedDeltas>& published_deltas() {
  static const std::vector<PublishedDeltas> all = {
      // TRIANGLE
      matrix({kSt3, kSp3, kLwl, kGwl, kBaseline, kGin, kGnnMean, kGnnWeighted, kPairsMean, kPairsWeighted},
             {
                 {-11, 13},   {0.4, 9.6}, {-4.9, 16}, {12, 12},   {-13, 10},  {-20, 14},  {-25, 14},
                 {-36, 17},   {-42, 11},  // WL_ST 3
                 {11, 13},    {6.1, 9.2}, {23, 16},   {-2.0, 14}, {-8.8, 13}, {-14, 14},  {-25, 12},
                 {-31, 11},                                                                            // WL_SP
                 {-5.3, 11},  {12, 7.5},  {-13, 6.7}, {-20, 13},  {-25, 9.4}, {-36, 10},  {-43, 6.8},  // 2-LWL
                 {17, 15},    {-8.2, 13}, {-15, 14},  {-20, 13},  {-31, 9.0}, {-38, 9.0},              // 2-GWL
                 {-25, 8.4},  {-32, 14},  {-37, 9.2}, {-48, 14},  {-55, 8.5},  // Baseline
                 {-6.8, 13},  {-12, 9.5}, {-23, 14},  {-29, 7.3},              // GIN
                 {-5.0, 6.6}, {-16, 11},  {-23, 9.8},                          // 2-GNN
                 {-11, 8.8},  {-18, 7.2},                                      // 2-GNN, weighted
                 {-6.5, 8.7},                                                  // 2-WL-GNN
             }),
      // NCI1
      matrix({kSt1, kSt3, kLwl, kGwl, kBaseline, kGin, kGnnMean, kGnnWeighted, kPairsMean, kPairsWeighted},
             {
                 {-11, 1.3},  {-2.8, 1.5}, {2.3, 2.4},  {6.2, 2.9},  {-3.5, 2.2}, {-1.9, 2.9},
                 {-4.4, 2.3}, {1.6, 2.6},  {0.4, 2.1},  // WL_ST 1
                 {8.1, 1.6},  {13, 1.8},   {17, 2.9},   {7.3, 2.7},  {8.9, 2.3},  {6.5, 2.0},
                 {12, 2.5},   {11, 2.0},  // WL_ST 3
                 {5.1, 2.3},  {9.0, 3.0},  {-0.7, 2.7}, {0.9, 2.0},  {-1.6, 2.3}, {4.4, 2.5},
                 {3.2, 2.5},                                                                    // 2-LWL
                 {3.9, 4.1},  {-5.8, 3.6}, {-4.3, 2.5}, {-6.7, 2.5}, {-0.8, 2.7}, {-1.9, 3.1},  // 2-GWL
                 {-9.8, 2.4}, {-8.2, 2.9}, {-11, 2.6},  {-4.7, 3.1}, {-5.8, 2.8},               // Baseline
                 {1.6, 3.5},  {-0.9, 2.2}, {5.1, 3.2},  {3.9, 3.3},                             // GIN
                 {-2.4, 2.6}, {3.5, 2.2},  {2.4, 2.6},                                          // 2-GNN
                 {5.9, 3.2},  {4.8, 3.2},  // 2-GNN, weighted
                 {-1.1, 2.0},              // 2-WL-GNN
             }),
      // PROTEINS
      matrix({kSt3, kSp3, kLwl, kGwl, kBaseline, kGin, kGnnMean, kGnnWeighted, kPairsMean, kPairsWeighted},
             {
                 {-0.1, 2.8}, {3.6, 4.4},  {-0.1, 3.3}, {-1.0, 5.1}, {1.3, 2.1},  {-1.8, 3.6},
                 {-0.7, 3.4}, {-3.5, 3.1}, {-2.3, 3.7},  // WL_ST 3
                 {3.7, 3.5},  {-0.0, 3.6}, {-0.9, 4.1}, {1.4, 3.0},  {-1.7, 4.1}, {-0.6, 4.0},
                 {-3.4, 3.2}, {-2.2, 3.7},  // WL_SP
                 {-3.7, 4.6}, {-4.6, 5.7}, {-2.3, 4.0}, {-5.4, 3.1}, {-4.3, 4.6}, {-7.1, 3.8},
                 {-5.9, 3.4},                                                                   // 2-LWL
                 {-0.9, 4.9}, {1.4, 2.4},  {-1.7, 3.7}, {-0.6, 3.1}, {-3.4, 3.0}, {-2.2, 3.9},  // 2-GWL
                 {2.3, 4.1},  {-0.8, 5.9}, {0.3, 6.3},  {-2.5, 4.6}, {-1.3, 5.1},               // Baseline
                 {-3.1, 3.0}, {-2.0, 3.0}, {-4.8, 2.2}, {-3.6, 2.8},                            // GIN
                 {1.1, 2.6},  {-1.7, 2.1}, {-0.5, 2.7},                                         // 2-GNN
                 {-2.8, 2.2}, {-1.6, 2.8},  // 2-GNN, weighted
                 {1.2, 2.1},                // 2-WL-GNN
             }),
      // D&D
      matrix(
          {kSt1, kSt3, kLwl, kGwl, kBaseline, kGin, kGnnMean, kGnnWeighted, kPairsMean, kPairsWeighted},
          {
              {0.2, 1.6},  {2.4, 3.3},  {2.6, 3.6},  {3.2, 2.7}, {3.8, 2.8}, {6.0, 6.7}, {9.3, 6.4},
              {3.5, 4.4},  {4.3, 4.0},  // WL_ST 1
              {2.2, 3.5},  {2.5, 3.5},  {3.1, 3.3},  {3.6, 3.2}, {5.9, 6.4}, {9.1, 6.4}, {3.4, 4.7},
              {4.1, 4.2},                                                                             // WL_ST 3
              {0.3, 1.4},  {0.9, 3.7},  {1.4, 4.7},  {3.7, 6.2}, {6.9, 5.7}, {1.2, 4.5}, {1.9, 4.3},  // 2-LWL
              {0.6, 4.3},  {1.2, 5.2},  {3.4, 6.9},  {6.7, 6.3}, {0.9, 5.2}, {1.7, 4.8},              // 2-GWL
              {0.5, 2.3},  {2.8, 4.9},  {6.1, 4.7},  {0.3, 3.4}, {1.0, 3.2},  // Baseline
              {2.2, 5.2},  {5.5, 5.4},  {-0.3, 3.6}, {0.5, 3.5},              // GIN
              {3.3, 4.1},  {-2.5, 4.7}, {-1.7, 5.0},                          // 2-GNN
              {-5.8, 2.8}, {-5.0, 3.3},                                       // 2-GNN, weighted
              {0.8, 1.0},                                                     // 2-WL-GNN
          }),
      // REDDIT-B
      matrix({kSt1, kSt3, kLwl, kGwl, kBaseline, kGin, kPairsMean, kPairsWeighted},
             {
                 {-1.8, 1.8}, {0.5, 4.9},  {0.8, 3.6},  {4.2, 10},   {-11, 6.9},  {-7.4, 6.2},
                 {-13, 3.5},                                                                   // WL_ST 1
                 {2.3, 4.7},  {2.6, 3.5},  {5.9, 11},   {-9.0, 7.1}, {-5.7, 6.8}, {-11, 2.9},  // WL_ST 3
                 {0.3, 4.2},  {3.7, 11},   {-11, 7.3},  {-7.9, 5.5}, {-14, 3.4},               // 2-LWL
                 {3.3, 11},   {-12, 7.6},  {-8.2, 6.2}, {-14, 2.7},                            // 2-GWL
                 {-15, 12},   {-12, 13},   {-17, 10},                                          // Baseline
                 {3.3, 9.6},  {-2.4, 7.0},                                                     // GIN
                 {-5.7, 6.5},                                                                  // 2-WL-GNN
             }),
      // IMDB-B
      matrix({kSt3, kSp3, kLwl, kGwl, kBaseline, kGin, kGnnMean, kGnnWeighted, kPairsMean, kPairsWeighted},
             {
                 {-1.5, 4.3}, {0.7, 2.0},  {2.5, 3.4},  {22, 4.9},   {6.1, 6.4},  {1.5, 2.6},
                 {2.0, 2.7},  {1.7, 3.7},  {1.8, 3.8},  // WL_ST 3
                 {2.2, 5.0},  {4.0, 5.2},  {24, 5.9},   {7.6, 7.4},  {3.0, 5.2},  {3.5, 5.7},
                 {3.2, 6.4},  {3.3, 6.7},  // WL_SP
                 {1.8, 2.6},  {22, 5.7},   {5.4, 7.2},  {0.8, 2.0},  {1.3, 3.2},  {1.0, 3.5},
                 {1.1, 3.7},                                                                    // 2-LWL
                 {20, 5.6},   {3.6, 7.1},  {-1.0, 2.6}, {-0.5, 4.1}, {-0.8, 3.1}, {-0.7, 4.3},  // 2-GWL
                 {-16, 6.3},  {-21, 6.0},  {-20, 5.6},  {-21, 6.4},  {-20, 6.9},                // Baseline
                 {-4.6, 7.5}, {-4.1, 7.1}, {-4.4, 7.9}, {-4.3, 8.4},                            // GIN
                 {0.5, 2.8},  {0.2, 2.8},  {0.2, 2.4},                                          // 2-GNN
                 {-0.3, 3.5}, {-0.2, 2.7},  // 2-GNN, weighted
                 {0.1, 3.4},                // 2-WL-GNN
             }),
  };
  return all;
}

}  // namespace twofold::paper
