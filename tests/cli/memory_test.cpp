#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "tests/support/measured_program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"

namespace twofold::testing {
namespace {

// Files that are small and graphs that cost much.
void write_inputs(const TemporaryFolder& folder) {
  const auto graph = [](std::size_t nodes, const std::vector<std::string>& edges,
                        const std::string& more = "") {
    return fmt::format("{{\"nodes\":{},\"edges\":[{}]{}}}\n", nodes, fmt::join(edges, ","), more);
  };
  std::vector<std::string> star, path, clique;
  for (int v = 1; v < 30000; ++v) star.push_back(fmt::format("[0,{}]", v));
  folder.write("star.jsonl", graph(30000, star));
  for (int v = 1; v < 40000; ++v) path.push_back(fmt::format("[{},{}]", v - 1, v));
  folder.write("path.jsonl", graph(40000, path));
  for (int v = 1; v < 400; ++v)
    for (int u = 0; u < v; ++u) clique.push_back(fmt::format("[{},{}]", u, v));
  folder.write("clique.jsonl", graph(400, clique));
  folder.write("sparse.s6", ":~~?COOOO\n");  // 71 million nodes in ten bytes
  folder.write("nodes.jsonl", "{\"nodes\":200000000,\"edges\":[]}\n");

  // Trees whose nodes have drawn their parents, two classes of them, with labels, or with attributes.
  std::string labeled, attributed;
  std::uint64_t drawn = 1;
  const auto draw = [&](std::uint64_t below) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (drawn >> 33) % below;
  };
  for (int g = 0; g < 1200; ++g) {
    const std::size_t n = 10 + draw(20);
    std::vector<std::string> edges, labels, values;
    for (std::size_t v = 1; v < n; ++v) edges.push_back(fmt::format("[{},{}]", draw(v), v));
    for (std::size_t v = 0; v < n; ++v) labels.push_back(std::to_string(draw(5)));
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<std::string> row;
      for (int c = 0; c < 40; ++c) row.push_back(fmt::format("0.{}", draw(1000)));
      values.push_back(fmt::format("[{}]", fmt::join(row, ",")));
    }
    const std::string target = fmt::format(",\"target\":{}", g % 2);
    labeled += graph(n, edges, fmt::format(",\"node_labels\":[{}]{}", fmt::join(labels, ","), target));
    if (g < 300)
      attributed += graph(n, edges, fmt::format(",\"node_attributes\":[{}]{}", fmt::join(values, ","), target));
  }
  folder.write("trees.jsonl", labeled);
  folder.write("rows.jsonl", attributed);
}

struct MemoryCase {
  const char* command;
  std::vector<int> limits;  // in MiB
};

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Done within the limit, or refused with words that name it: never beyond it.
void expect_kept(const std::string& command, int limit, const TemporaryFolder& folder) {
  std::vector<std::string> words = words_of(command);
  words.insert(words.end(), {"--max-memory", fmt::format("{}M", limit)});
  const MeasuredResult result = run_measured(words, folder.path());
  SCOPED_TRACE(fmt::format("{} --max-memory {}M, peak {}, exit {}\n{}", command, limit,
                           format_bytes(result.peak), result.exit_code, result.err));
  if (result.exit_code != 0) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("need"), std::string::npos);
    EXPECT_NE(result.err.find("limit"), std::string::npos);
    EXPECT_NE(result.err.find("(--max-memory)"), std::string::npos);
    EXPECT_EQ(result.err.find("bug"), std::string::npos);
    // What the program holds before it has done anything is no less for being refused.
    if (result.err.find("needs at least") != std::string::npos) return;
  }
  EXPECT_LE(result.peak, static_cast<std::uint64_t>(limit) << 20);
}

void expect_all_kept(const std::vector<MemoryCase>& cases) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is no part of the promise";
#endif
  const TemporaryFolder folder;
  write_inputs(folder);
  for (const MemoryCase& one : cases)
    for (const int limit : one.limits) expect_kept(one.command, limit, folder);
}

TEST(MaxMemory, IsKeptByCommandsOnDatasets) {
  expect_all_kept({
      {"data info star.jsonl --radius 2", {8, 24, 200}},
      {"data info star.jsonl --radius 2 --rounds 3 --duplicates", {24, 100}},
      {"data info path.jsonl --radius 8 --no-graph-radius", {24, 30, 100}},
      {"data info clique.jsonl --radius 1 --rounds 2", {24, 40}},
      {"data info sparse.s6", {24, 200}},
      {"data info nodes.jsonl", {24, 200}},
      {"data info trees.jsonl --radius 4 --rounds 3", {24, 40, 80}},
      {"data info rows.jsonl", {20, 24, 100}},
  });
}

TEST(MaxMemory, IsKeptByColorRefinement) {
  expect_all_kept({
      {"wl classes trees.jsonl --test 2-wl --radius 3", {24, 60}},
      {"wl classes star.jsonl", {24, 60}},
      {"wl hash path.jsonl --test 1-wl", {24, 60}},
      {"wl hash clique.jsonl --test 2-wl --radius 1", {40, 100}},
      {"wl pairs trees.jsonl --test 2-wl --radius 2", {24, 60}},
      {"wl colors clique.jsonl --test 2-wl --radius 1 --rounds", {40, 80}},
      {"wl colors trees.jsonl --test 1-wl --rounds", {24, 30, 60}},
      {"wl colors trees.jsonl --test 2-wl --radius 2 --json", {24, 80}},
      {"wl count trees.jsonl --cycles 3-5 --against 2-wl", {24, 60}},
      {"reproduce ladder trees.jsonl --threads 1", {24}},
  });
}

TEST(MaxMemory, IsKeptByKernels) {
  expect_all_kept({
      {"gram trees.jsonl --kernel wl-st --iterations 3 -o a.npy", {24, 30, 60}},
      {"gram trees.jsonl --kernel wl-sp --iterations 3 -o b.npy", {30, 60, 150}},
      {"gram trees.jsonl --kernel 2-lwl --iterations 2 -o c.npy", {24, 40, 60}},
      {"evaluate rows.jsonl --model wl-st --preset quick --folds 2 --quiet -o r1", {20, 40}},
      {"evaluate trees.jsonl --model wl-st --preset quick --folds 2 --jobs 2 --quiet -o r2", {60, 150}},
  });
}

// 2400 trees: a matrix of 46 MB.
TEST(MaxMemory, IsKeptByAMatrixThatIsLarger) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is no part of the promise";
#endif
  const TemporaryFolder folder;
  write_inputs(folder);
  // A matrix of 104 MB; the program itself, the graphs and their counts take some 50 (2-wl).
  const std::string trees = read_file(folder.path("trees.jsonl"));
  folder.write("thrice.jsonl", trees + trees + trees);
  for (const std::string kernel : {"wl-st", "2-wl"})
    for (const std::string ending : {"npy", "libsvm"}) {
      // Files are read after both runs: what this process holds would count as theirs before they start.
      for (const int limit : {400, 90}) {
        const MeasuredResult result = run_measured(
            {"gram", "thrice.jsonl", "--kernel", kernel, "--iterations", "1", "-o",
             fmt::format("{}.{}", limit, ending), "--max-memory", fmt::format("{}M", limit), "--quiet"},
            folder.path());
        SCOPED_TRACE(fmt::format("{} {} {}M, peak {}\n{}", kernel, ending, limit, format_bytes(result.peak),
                                 result.err));
        ASSERT_EQ(result.exit_code, 0);
        EXPECT_LE(result.peak, static_cast<std::uint64_t>(limit) << 20);
      }
      EXPECT_TRUE(read_file(folder.path("90." + ending)) == read_file(folder.path("400." + ending)));
    }
}

// The floats of a .npy file.
std::vector<float> floats_of(const std::string& npy) {
  const std::size_t start = 10 + static_cast<unsigned char>(npy[8]) + 256 * static_cast<unsigned char>(npy[9]);
  std::vector<float> values((npy.size() - start) / sizeof(float));
  std::memcpy(values.data(), npy.data() + start, values.size() * sizeof(float));
  return values;
}

// Texts that are the same but for the last digits of numbers.
void expect_about_the_same(const std::string& found, const std::string& expected) {
  const std::string between = ",:{}[]\" \n";
  std::size_t a = 0, b = 0;
  while (a < found.size() && b < expected.size()) {
    const std::size_t end_a = std::min(found.find_first_of(between, a), found.size());
    const std::size_t end_b = std::min(expected.find_first_of(between, b), expected.size());
    const std::string x = found.substr(a, end_a - a), y = expected.substr(b, end_b - b);
    if (x != y) {
      ASSERT_NEAR(std::stod(x), std::stod(y), 1e-4);
    }
    a = end_a + 1;
    b = end_b + 1;
  }
  EXPECT_GE(a, found.size());
  EXPECT_GE(b, expected.size());
}

// 40,000 molecules: 12 MB of text, some 80 MB as graphs. What goes graph by graph is done in blocks, and gives
// the same bytes; numbers of networks agree as far as those of graphs in other batches do.
TEST(MaxMemory, IsKeptByDatasetsThatAreLarger) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is no part of the promise";
#endif
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command) { return run_measured(words_of(command), folder.path()); };
  ASSERT_EQ(run("data generate molecules --graphs 40000 -o m.jsonl").exit_code, 0);
  ASSERT_EQ(run("data generate molecules --graphs 40000 -o M").exit_code, 0);
  ASSERT_EQ(run("data convert m.jsonl m.g6 --drop-data").exit_code, 0);
  ASSERT_EQ(run("data generate molecules --graphs 300 --seed 2 -o few.jsonl").exit_code, 0);
  ASSERT_EQ(run("train few.jsonl --model gin --epochs 2 --quiet -o gin.model").exit_code, 0);
  ASSERT_EQ(run("train few.jsonl --model 2-wl-gnn --radius 1 --epochs 2 --quiet -o wl.model").exit_code, 0);
  ASSERT_EQ(run("train few.jsonl --model wl-st --quiet -o st.model").exit_code, 0);
  const struct {
    const char* command;
    const char* output;
    std::uint64_t limit;  // in MiB
    bool is_exact;
  } cases[] = {
      {"data info m.jsonl --radius 1", "", 60, true},
      {"data convert m.jsonl c.jsonl", "c.jsonl", 60, true},
      {"features m.jsonl --kernel wl-st --iterations 1 -o f.npz", "f.npz", 80, true},
      {"features m.jsonl --kernel wl-st --iterations 1 -o f.svm", "f.svm", 80, true},
      {"predict gin.model m.jsonl -o p.csv", "p.csv", 60, false},
      {"predict wl.model m.jsonl -o p.jsonl", "p.jsonl", 60, false},
      {"predict st.model m.jsonl -o p.txt", "p.txt", 60, true},
      {"embed gin.model m.jsonl -o e.npy", "e.npy", 60, false},
      {"embed wl.model m.jsonl -o e.npy", "e.npy", 60, false},
      {"data info M --radius 1", "", 60, true},
      {"data convert M c.jsonl", "c.jsonl", 60, true},
      {"features M --kernel wl-st --iterations 1 -o f.svm", "f.svm", 60, true},
      {"predict st.model M -o p.txt", "p.txt", 60, true},
      {"embed gin.model M -o e.npy", "e.npy", 60, false},
      {"data info m.g6 --radius 1", "", 35, true},
      {"data convert m.g6 c.s6", "c.s6", 35, true},
  };
  for (const auto& one : cases) {
    const std::string command = std::string(one.command) + " --quiet";
    const MeasuredResult whole = run(command);
    ASSERT_EQ(whole.exit_code, 0) << command << whole.err;
    // Read after both runs: what this process holds would count as theirs before they start.
    if (one.output[0] != 0) std::filesystem::rename(folder.path(one.output), folder.path("whole"));
    const MeasuredResult part = run(fmt::format("{} --max-memory {}M", command, one.limit));
    SCOPED_TRACE(fmt::format("{}: peak {}, whole {}\n{}", command, format_bytes(part.peak),
                             format_bytes(whole.peak), part.err));
    ASSERT_EQ(part.exit_code, 0);
    const std::string bytes = one.output[0] == 0 ? whole.out : read_file(folder.path("whole"));
    const std::string found = one.output[0] == 0 ? part.out : read_file(folder.path(one.output));
    if (one.is_exact) {
      EXPECT_EQ(part.out, whole.out);
      EXPECT_TRUE(found == bytes);
    } else if (std::string(one.output) == "e.npy") {
      const std::vector<float> x = floats_of(found), y = floats_of(bytes);
      ASSERT_EQ(found.size(), bytes.size());
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-4 * (1 + std::abs(y[i])));
    } else {
      expect_about_the_same(found, bytes);
    }
    EXPECT_LE(part.peak, one.limit << 20);
    EXPECT_GT(whole.peak, one.limit << 20);
  }
}

// The same molecules: colors are found in blocks, and no graph is kept. The model has the same bytes.
TEST(MaxMemory, IsKeptByTrainingsOnDatasetsThatAreLarger) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is no part of the promise";
#endif
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command) { return run_measured(words_of(command), folder.path()); };
  ASSERT_EQ(run("data generate molecules --graphs 40000 -o m.jsonl").exit_code, 0);
  ASSERT_EQ(run("data generate molecules --graphs 40000 -o M").exit_code, 0);
  const struct {
    const char* command;
    std::uint64_t limit;  // in MiB
  } cases[] = {
      {"train m.jsonl --model 2-wl-gnn --radius 1 --width 4 --layers 2 --epochs 1", 80},
      {"train M --model gin --width 4 --layers 2 --epochs 1", 80},
  };
  for (const auto& one : cases) {
    const std::string command = std::string(one.command) + " --engine colors --quiet -o ";
    const MeasuredResult whole = run(command + "whole.model");
    ASSERT_EQ(whole.exit_code, 0) << command << whole.err;
    const MeasuredResult part = run(fmt::format("{}part.model --max-memory {}M", command, one.limit));
    SCOPED_TRACE(fmt::format("{}: peak {}, whole {}\n{}", command, format_bytes(part.peak),
                             format_bytes(whole.peak), part.err));
    ASSERT_EQ(part.exit_code, 0);
    EXPECT_TRUE(read_file(folder.path("part.model")) == read_file(folder.path("whole.model")));
    EXPECT_LE(part.peak, one.limit << 20);
    EXPECT_GT(whole.peak, one.limit << 20);
  }
}

TEST(MaxMemory, IsKeptByNetworks) {
  expect_all_kept({
      {"train trees.jsonl --radius 3 --epochs 1 --quiet -o a.model", {24, 30, 60, 185}},
      {"train trees.jsonl --radius 8 --engine fused --epochs 1 --quiet", {30, 60, 120}},
      {"train trees.jsonl --model wl-sp --quiet -o b.model", {60, 150, 300}},
      {"train rows.jsonl --model gin --epochs 1 --quiet", {20, 30, 60}},
      {"train trees.jsonl --radius 3 --epochs 1 --quiet -o a.model", {250}},
      {"predict a.model trees.jsonl", {20, 30, 60}},
      {"embed a.model trees.jsonl -o a.npy", {30}},
      {"explain a.model trees.jsonl --graph 1 -o why.json", {20, 30, 60}},
      {"evaluate rows.jsonl --model gin --preset quick --folds 2 --epochs 1 --jobs 2 --quiet -o r", {60, 200}},
  });
}

#ifdef TWOFOLD_TORCH
// Here libtorch multiplies, by OpenBLAS, which tries for good where it gets no memory for its buffer.
TEST(MaxMemory, IsKeptByGatherScatter) {
  expect_all_kept({
      {"bench epoch trees.jsonl --radius 3 --engine gather-scatter --limit 60 --repeats 1 --quiet", {190, 400}},
  });
}
#endif

}  // namespace
}  // namespace twofold::testing
