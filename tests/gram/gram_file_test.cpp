#include "twofold/gram/gram_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/named_graphs.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/gram/gram.h"

namespace twofold::testing {
namespace {

using gram::GramFormat;
using gram::GramMatrix;

const GramMatrix kMatrix{2, {4, 2, 2, 9}};

std::string written(const Dataset& dataset, GramFormat format, bool normalize) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("k"));
  gram::GramWriter writer(kMatrix.size, dataset, format, normalize, file);
  writer.add(kMatrix);
  file.commit();
  return read_file(folder.path("k"));
}

Dataset two_graphs(const std::vector<std::string>& classes) {
  Dataset dataset;
  dataset.graphs = {path(2), path(3)};
  if (!classes.empty()) dataset.set_classes(classes);
  return dataset;
}

// By NumPy's description of its format 1.0.
TEST(GramFile, NpyHasAPaddedHeaderAndTheValues) {
  const std::string bytes = written({}, GramFormat::kNpy, false);
  ASSERT_EQ(bytes.size(), 128u + 4 * 8);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  EXPECT_EQ(bytes[8], 118);
  EXPECT_EQ(bytes.substr(10, 58), "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), ");
  EXPECT_EQ(bytes[127], '\n');
  std::int64_t values[4];
  std::memcpy(values, bytes.data() + 128, sizeof values);
  EXPECT_EQ(values[0], 4);
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(values[3], 9);
}

TEST(GramFile, NormalizedNpyHasFloats) {
  const std::string bytes = written({}, GramFormat::kNpy, true);
  EXPECT_NE(bytes.find("'<f8'"), std::string::npos);
  double values[4];
  std::memcpy(values, bytes.data() + 128, sizeof values);
  EXPECT_EQ(values[0], 1);
  EXPECT_DOUBLE_EQ(values[1], 2.0 / 6);
}

TEST(GramFile, CsvHasALineAGraph) {
  EXPECT_EQ(written({}, GramFormat::kCsv, false), "4,2\n2,9\n");
  EXPECT_EQ(written({}, GramFormat::kCsv, true), "1,0.3333333333333333\n0.3333333333333333,1\n");
}

TEST(GramFile, BlocksGiveTheSameBytes) {
  Random random(2);
  Dataset dataset;
  for (int i = 0; i < 23; ++i) dataset.graphs.push_back(random_graph(random, 1 + random.below(9), 0.3, 2));
  const GramMatrix whole = gram::gram_matrix(dataset.graphs, {gram::KernelKind::kWlSubtree, 2, false});
  const TemporaryFolder folder;
  for (const GramFormat format : {GramFormat::kNpy, GramFormat::kCsv, GramFormat::kLibsvm})
    for (const bool normalize : {false, true}) {
      std::string expected;
      for (const std::size_t rows : {23, 1, 7}) {
        AtomicFile file(folder.path("k"));
        gram::GramWriter writer(23, dataset, format, normalize, file);
        for (std::size_t begin = 0; begin < 23; begin += rows) {
          const std::size_t end = std::min<std::size_t>(23, begin + rows);
          writer.add({23, {whole.row(begin), whole.row(begin) + (end - begin) * 23}, begin, whole.diagonal});
        }
        file.commit();
        const std::string bytes = read_file(folder.path("k"));
        if (expected.empty()) expected = bytes;
        EXPECT_EQ(bytes, expected) << rows << " rows at a time";
      }
    }
}

TEST(GramFile, LibsvmHasTargetsAndNumbersFromOne) {
  EXPECT_EQ(written(two_graphs({"-1", "1"}), GramFormat::kLibsvm, false), "-1 0:1 1:4 2:2\n1 0:2 1:2 2:9\n");
  EXPECT_EQ(written(two_graphs({"toxic", "harmless"}), GramFormat::kLibsvm, false),
            "1 0:1 1:4 2:2\n0 0:2 1:2 2:9\n");
  EXPECT_EQ(written(two_graphs({}), GramFormat::kLibsvm, false), "0 0:1 1:4 2:2\n0 0:2 1:2 2:9\n");
}

TEST(GramFile, AGraphWithoutFeaturesIsZeroWhenNormalized) {
  const GramMatrix matrix{2, {0, 0, 0, 9}};
  std::vector<double> row;
  matrix.normalized_row(0, row);
  EXPECT_EQ(row, (std::vector<double>{0, 0}));
  matrix.normalized_row(1, row);
  EXPECT_EQ(row, (std::vector<double>{0, 1}));
}

TEST(GramFile, TheEndingSaysTheFormat) {
  EXPECT_EQ(gram::gram_format_of_path("a.npy"), GramFormat::kNpy);
  EXPECT_EQ(gram::gram_format_of_path("a.csv"), GramFormat::kCsv);
  EXPECT_EQ(gram::gram_format_of_path("a.libsvm"), GramFormat::kLibsvm);
  EXPECT_THROW(gram::gram_format_of_path("a.txt"), UsageError);
}

TEST(GramMatrix, WideNumbersInDecimal) {
  EXPECT_EQ(gram::to_text(0), "0");
  EXPECT_EQ(gram::to_text(-17), "-17");
  EXPECT_EQ(gram::to_text(gram::Wide{1} << 100), "1267650600228229401496703205376");
}

}  // namespace
}  // namespace twofold::testing
