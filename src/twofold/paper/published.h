#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

// What the paper prints, as numbers: Damke, Melnikov, Hüllermeier, "A Novel Higher-order Weisfeiler-Lehman
// Graph Convolution" (ACML 2020), and the result tables published with it. Means and standard deviations over
// folds in percent.
namespace twofold::paper {

/// A mean and the population standard deviation over folds. NaN where there is none.
struct Figure {
  double mean = 0;
  double std = 0;
};
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One of the paper's six datasets.
struct PaperDataset {
  std::string name;    // as its tables print it
  std::string folder;  // as the TU collection and `data fetch` call it
  int radius = 1;      // the 2-WL-GNN's in both tables
};
/// TRIANGLE, NCI1, PROTEINS, D&D, REDDIT-B, IMDB-B: the order of every table here.
const std::vector<PaperDataset>& paper_datasets();
inline constexpr std::size_t kTriangle = 0;
inline constexpr std::size_t kNumDatasets = 6;

enum class CellState {
  kMeasured,
  kOutOfMemory,  // the paper prints OOM
  kNotInPaper,   // a learner of ours
};

/// What the paper has of a learner on a dataset.
struct PublishedCell {
  CellState state = CellState::kMeasured;
  Figure test;
  Figure train;            // NaN where it was not published
  bool is_copied = false;  // not rerun: Errica et al.'s published figure
  // Where the paper's table shows another figure than that of the learner it names: which, and why.
  std::string note;
};

/// A row of the paper's result tables.
struct PublishedRow {
  std::string name;  // `WL_ST (T = 3)`
  bool is_kernel = false;
  bool in_table2 = true;             // all are in Table 1
  std::vector<PublishedCell> cells;  // one per dataset
};
/// The rows of Tables 1 and 2 in their order.
const std::vector<PublishedRow>& published_results();

/// A matrix of Appendix F: fold-wise differences in test accuracy, as it is printed, with two digits.
struct PublishedDeltas {
  std::vector<std::size_t> learners;        // rows of published_results(), ascending
  std::vector<std::vector<Figure>> deltas;  // [a][b]: learners[a] minus learners[b]; NaN on the diagonal
};
/// One a dataset.
const std::vector<PublishedDeltas>& published_deltas();

/// Accuracy by the depth of the WL subtree kernel (T = 1…5) on every dataset.
struct DepthPoint {
  int iterations = 0;
  std::vector<Figure> test;   // one per dataset
  std::vector<Figure> train;  // one per dataset
};
const std::vector<DepthPoint>& published_depths();

/// Accuracy by radius (Appendix D): the 2-WL-GNN without an MLP after pooling. NaN where it was not measured.
struct RadiusPoint {
  bool is_weighted = false;  // weighted mean pooling, else mean
  int radius = 0;
  std::vector<Figure> test;   // one per dataset
  std::vector<Figure> train;  // one per dataset
};
const std::vector<RadiusPoint>& published_radii();
/// The radii of a dataset that were measured, ascending.
std::vector<int> published_radii_of(std::size_t dataset);

/// A row of the table of Appendix C.
struct PublishedStatistics {
  std::size_t graphs = 0;
  double nodes_min = 0, nodes_mean = 0, nodes_max = 0;
  double edges_min = 0, edges_mean = 0, edges_max = 0;
  std::size_t attributes = 0, label_columns = 0;  // a constant where both are missing: 0 + 1
  double degree_min = 0, degree_mean = 0, degree_std = 0, degree_max = 0;
  double radius_mean = 0, radius_std = 0;  // not printed in the paper; published with it
};
/// One a dataset.
const std::vector<PublishedStatistics>& published_statistics();

/// Milliseconds an epoch of training took on one GPU (Appendix E).
struct EpochTimes {
  int x = 0;  // nodes of a graph, or their degree
  double gin = 0;
  double pairs[3] = {0, 0, 0};  // 2-WL-GNN with r = 1, 2, 3
};
/// Over n = 16…16384 with d = 2, and over d = 2…6 with n = 1024.
const std::vector<EpochTimes>& published_times_over_nodes();
const std::vector<EpochTimes>& published_times_over_degree();

/// Milliseconds an epoch on a real dataset, 0 where there is none.
struct RealEpochTimes {
  double gin = 0;
  double at_one = 0;     // 2-WL-GNN, r = 1
  double at_radius = 0;  // 2-WL-GNN, the paper's radius (missing where that is 1)
};
/// One a dataset; TRIANGLE has none.
const std::vector<RealEpochTimes>& published_real_times();

}  // namespace twofold::paper
