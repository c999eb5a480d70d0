#include "twofold/gram/sparse_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/gram/feature_names.h"
#include "twofold/gram/features_file.h"
#include "twofold/gram/gram.h"
#include "twofold/gram/vocabulary_file.h"
#include "twofold/graph/generate_molecule.h"

namespace twofold::testing {
namespace {

using gram::Kernel;
using gram::KernelKind;
using gram::SparseCounts;
using gram::Vocabulary;

constexpr KernelKind kKernels[] = {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                   KernelKind::kGlobalSets, KernelKind::kRows};

Kernel kernel_of(KernelKind kind) {
  Kernel kernel;
  kernel.kind = kind;
  kernel.iterations = 2;
  return kernel;
}

std::vector<Graph> some_graphs(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs = {empty_graph(0), empty_graph(3), star(5), petersen()};
  for (int i = 0; i < 20; ++i) graphs.push_back(random_graph(random, 1 + random.below(9), 0.4, 3));
  return graphs;
}

std::int64_t product(const SparseCounts& a, std::size_t i, const SparseCounts& b, std::size_t j) {
  std::int64_t sum = 0;
  for (std::uint64_t x = a.starts[i]; x < a.starts[i + 1]; ++x)
    for (std::uint64_t y = b.starts[j]; y < b.starts[j + 1]; ++y)
      if (a.columns[x] == b.columns[y]) sum += static_cast<std::int64_t>(a.counts[x] * b.counts[y]);
  return sum;
}

TEST(SparseCounts, MultiplyToTheGramMatrix) {
  const std::vector<Graph> graphs = some_graphs(3);
  for (const KernelKind kind : kKernels) {
    SCOPED_TRACE(gram::kernel_name(kind));
    Vocabulary vocabulary(kernel_of(kind));
    const SparseCounts counts = gram::add_counts(vocabulary, graphs);
    const gram::GramMatrix matrix = gram::gram_matrix(graphs, kernel_of(kind));
    ASSERT_EQ(counts.num_rows(), graphs.size());
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      EXPECT_TRUE(std::is_sorted(counts.columns.begin() + static_cast<std::ptrdiff_t>(counts.starts[i]),
                                 counts.columns.begin() + static_cast<std::ptrdiff_t>(counts.starts[i + 1])));
      for (std::size_t j = 0; j < graphs.size(); ++j)
        EXPECT_EQ(product(counts, i, counts, j), matrix.at(i, j)) << i << ' ' << j;
    }
    EXPECT_EQ(counts.num_columns, gram::feature_names(vocabulary).size());
  }
}

TEST(SparseCounts, OfAFittedVocabularyAreTheSameForAnyNumberOfThreads) {
  const std::vector<Graph> known = some_graphs(3), others = some_graphs(4);
  for (const KernelKind kind : kKernels) {
    SCOPED_TRACE(gram::kernel_name(kind));
    Vocabulary vocabulary(kernel_of(kind));
    const SparseCounts first = gram::add_counts(vocabulary, known);
    const SparseCounts again = gram::find_counts(vocabulary, known, 2);
    EXPECT_EQ(again.starts, first.starts);
    EXPECT_EQ(again.columns, first.columns);
    EXPECT_EQ(again.counts, first.counts);
    const SparseCounts one = gram::find_counts(vocabulary, others, 1),
                       two = gram::find_counts(vocabulary, others, 2);
    EXPECT_EQ(one.columns, two.columns);
    EXPECT_EQ(one.counts, two.counts);
    // The block of the whole matrix, though the vocabulary lacks what only the others have.
    std::vector<Graph> both = known;
    both.insert(both.end(), others.begin(), others.end());
    const gram::GramMatrix matrix = gram::gram_matrix(both, kernel_of(kind));
    for (std::size_t i = 0; i < known.size(); ++i)
      for (std::size_t j = 0; j < others.size(); ++j)
        EXPECT_EQ(product(first, i, one, j), matrix.at(i, known.size() + j));
  }
}

TEST(VocabularyFile, GivesTheSameColumnsAndRefusesWhatWasChanged) {
  const std::vector<Graph> known = some_graphs(3), others = some_graphs(4);
  for (const KernelKind kind : kKernels) {
    SCOPED_TRACE(gram::kernel_name(kind));
    Vocabulary vocabulary(kernel_of(kind));
    gram::add_counts(vocabulary, known);
    const std::string bytes = gram::encode_vocabulary(vocabulary);
    const Vocabulary read = gram::decode_vocabulary(bytes, "v");
    EXPECT_EQ(gram::encode_vocabulary(read), bytes);
    EXPECT_EQ(gram::find_counts(read, others).columns, gram::find_counts(vocabulary, others).columns);
    for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 97) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 4);
      EXPECT_THROW(gram::decode_vocabulary(changed, "v"), InputError) << at;
    }
    EXPECT_THROW(gram::decode_vocabulary(bytes.substr(0, bytes.size() / 2), "v"), InputError);
  }
}

TEST(FeaturesFile, IsTheSameTextTwiceAndNormalizedRowsHaveLengthOne) {
  const Dataset dataset = graph::generate_molecules({10, 20, 12}, 5);
  Vocabulary vocabulary(kernel_of(KernelKind::kWlSubtree));
  const SparseCounts counts = gram::add_counts(vocabulary, dataset.graphs);
  const TemporaryFolder place;
  const auto written = [&](const std::string& name, bool normalize) {
    AtomicFile file(place.path(name));
    gram::write_features(counts, dataset, gram::features_format_of_path(name), normalize, file);
    file.commit();
    return read_file(place.path(name));
  };
  EXPECT_EQ(written("a.npz", false), written("b.npz", false));
  EXPECT_NE(written("a.npz", false), written("b.npz", true));
  const std::string text = written("a.svm", true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  double square = 0;
  for (std::size_t at = text.find(':'); at < text.find('\n'); at = text.find(':', at + 1)) {
    const double value = std::stod(text.substr(at + 1));
    square += value * value;
  }
  EXPECT_NEAR(square, 1, 1e-12);
  EXPECT_THROW(gram::features_format_of_path("x.csv"), UsageError);
}

}  // namespace
}  // namespace twofold::testing
