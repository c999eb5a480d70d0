// Datasets read in blocks of graphs (dataset_blocks.h).
#include "twofold/io/dataset_blocks.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/json_lines.h"

namespace twofold::testing {
namespace {

using io::DatasetBlocks;

// Graphs of one kind of data, some of them empty, with targets of one kind.
std::string random_lines(Random& random, std::size_t count) {
  const bool labels = random.chance(0.7), texts = random.chance(0.5), edge_labels = random.chance(0.5);
  const bool ids = random.chance(0.5), attributes = random.chance(0.3);
  const std::uint64_t target = random.below(6);
  const auto word = [&](std::uint64_t below) {
    const std::uint64_t number = random.below(below);
    return texts ? fmt::format("\"t{}\"", number) : std::to_string(number);
  };
  std::string text;
  for (std::size_t g = 0; g < count; ++g) {
    const std::size_t n = random.below(6);
    std::vector<std::string> edges, node_labels, of_edges, rows;
    for (std::size_t v = 1; v < n; ++v) edges.push_back(fmt::format("[{},{}]", random.below(v), v));
    for (std::size_t v = 0; v < n; ++v) node_labels.push_back(word(4));
    for (std::size_t e = 0; e < edges.size(); ++e) of_edges.push_back(word(2));
    for (std::size_t v = 0; v < n; ++v) rows.push_back(fmt::format("[{},0.5]", v));
    text += "{";
    if (ids) text += fmt::format("\"id\": \"g{}\", ", g);
    text += fmt::format("\"nodes\": {}, \"edges\": [{}]", n, fmt::join(edges, ","));
    if (labels) text += fmt::format(", \"node_labels\": [{}]", fmt::join(node_labels, ","));
    if (edge_labels) text += fmt::format(", \"edge_labels\": [{}]", fmt::join(of_edges, ","));
    if (attributes && n > 0) text += fmt::format(", \"node_attributes\": [{}]", fmt::join(rows, ","));
    switch (target) {
      case 0:
        text += fmt::format(", \"target\": {}", random.below(12));
        break;
      case 1:
        text += fmt::format(", \"target\": \"c{}\"", random.below(3));
        break;
      case 2:  // whole numbers that are values, since one of them has a fraction or is not known
        text += g + 1 == count ? ", \"target\": 0.5" : fmt::format(", \"target\": {}", random.below(3));
        break;
      case 3:
        text += fmt::format(", \"target\": {{\"a\": {}, \"b\": null}}", random.below(9));
        break;
      case 4:
        text += fmt::format(", \"graph_attributes\": [{}, 2.5]", random.below(9));
        break;
      default:
        break;
    }
    text += random.chance(0.1) ? " }\r\n" : "}\n";
  }
  return text;
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Dataset joined(DatasetBlocks& blocks) {
  Dataset all = blocks.empty_dataset(), block;
  while (blocks.next(block)) {
    EXPECT_EQ(blocks.first(), all.graphs.size());
    EXPECT_EQ(block.class_names, all.class_names);
    block.check();
    append(all.graphs, block.graphs);
    append(all.class_of, block.class_of);
    append(all.real_targets, block.real_targets);
    append(all.ids, block.ids);
    append(all.smiles, block.smiles);
  }
  return all;
}

io::BlocksOptions blocks_of(std::uint64_t bytes, int threads = 1) {
  io::BlocksOptions options;
  options.block_bytes = bytes;
  options.threads = threads;
  return options;
}

TEST(DatasetBlocks, TogetherAreTheDataset) {
  Random random(7);
  const TemporaryFolder folder;
  for (int trial = 0; trial < 60; ++trial) {
    const std::string text = random_lines(random, 1 + random.below(40));
    folder.write("d.jsonl", text + (random.chance(0.3) ? "\n \n\r\n" : ""));
    SCOPED_TRACE(text);
    const Dataset whole = io::read_dataset(folder.path("d.jsonl"));
    for (const std::uint64_t bytes : {1, 37, 500, 1 << 20}) {
      DatasetBlocks blocks(folder.path("d.jsonl"), blocks_of(bytes, 1 + static_cast<int>(random.below(4))));
      EXPECT_EQ(blocks.num_graphs(), whole.graphs.size());
      EXPECT_TRUE(joined(blocks) == whole) << bytes;
      blocks.rewind();
      EXPECT_TRUE(joined(blocks) == whole) << "again";
      EXPECT_EQ(blocks.frame().has_node_labels(), io::written_kinds(whole.graphs).node_labels);
      EXPECT_EQ(blocks.frame().has_edge_labels(), io::written_kinds(whole.graphs).edge_labels);
    }
  }
}

TEST(DatasetBlocks, AreWrittenAsTheDatasetIs) {
  Random random(8);
  const TemporaryFolder folder;
  for (int trial = 0; trial < 20; ++trial) {
    folder.write("d.jsonl", random_lines(random, 25));
    std::string whole, parts;
    const auto to = [](std::string& text) { return [&text](std::string_view line) { text += line; }; };
    io::write_json_lines(io::read_dataset(folder.path("d.jsonl")), to(whole));
    DatasetBlocks blocks(folder.path("d.jsonl"), blocks_of(60));
    Dataset block;
    while (blocks.next(block))
      io::write_block(block, io::Format::kJsonLines,
                      {false, blocks.frame().has_node_labels(), blocks.frame().has_edge_labels()}, to(parts));
    EXPECT_EQ(parts, whole);
  }
}

TEST(DatasetBlocks, HaveTheStatisticsOfTheDataset) {
  Random random(9);
  const TemporaryFolder folder;
  for (int trial = 0; trial < 20; ++trial) {
    folder.write("d.jsonl", random_lines(random, 30));
    const graph::DatasetStatistics whole = graph::describe(io::read_dataset(folder.path("d.jsonl")));
    DatasetBlocks blocks(folder.path("d.jsonl"), blocks_of(80));
    graph::StatisticsSum sum;
    Dataset block;
    while (blocks.next(block)) sum.add(block);
    const graph::DatasetStatistics parts = sum.result();
    const auto same = [](const graph::Spread& a, const graph::Spread& b) {
      EXPECT_EQ(a.count, b.count);
      EXPECT_EQ(a.min, b.min);
      EXPECT_EQ(a.mean, b.mean);
      EXPECT_EQ(a.max, b.max);
      EXPECT_EQ(a.std, b.std);
    };
    EXPECT_EQ(parts.name, whole.name);
    EXPECT_EQ(parts.graphs, whole.graphs);
    EXPECT_EQ(parts.classes, whole.classes);
    EXPECT_EQ(parts.real_targets, whole.real_targets);
    EXPECT_EQ(parts.node_labels.used, whole.node_labels.used);
    EXPECT_EQ(parts.node_labels.columns, whole.node_labels.columns);
    EXPECT_EQ(parts.edge_labels.columns, whole.edge_labels.columns);
    EXPECT_EQ(parts.node_attributes, whole.node_attributes);
    EXPECT_EQ(parts.isolated_nodes, whole.isolated_nodes);
    same(parts.nodes, whole.nodes);
    same(parts.edges, whole.edges);
    same(parts.degree, whole.degree);
    same(parts.radius, whole.radius);
  }
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DatasetBlocks, RefuseWhatTheReaderRefusesInTheSameWords) {
  const TemporaryFolder folder;
  const std::string good = "{\"nodes\":2,\"edges\":[[0,1]],\"node_labels\":[1,2],\"target\":1}\n";
  for (const std::string& bad :
       {std::string("\n"), std::string("{\"nodes\":2}\n"), std::string("{\"nodes\":\n"),
        std::string("nonsense\n"),
        std::string("{\"nodes\":2,\"edges\":[[0,2]],\"node_labels\":[1,2],\"target\":1}\n"),
        std::string("{\"nodes\":1,\"edges\":[],\"node_labels\":[\"C\"],\"target\":1}\n"),
        std::string("{\"nodes\":1,\"edges\":[],\"node_labels\":[1],\"target\":\"x\"}\n")}) {
    folder.write("d.jsonl", good + good + bad + good);
    const std::string whole = message_of([&] { io::read_dataset(folder.path("d.jsonl")); });
    EXPECT_NE(whole, "") << bad;
    for (const std::uint64_t bytes : {1, 70, 1 << 20})
      EXPECT_EQ(message_of([&] { DatasetBlocks(folder.path("d.jsonl"), blocks_of(bytes)); }), whole) << bad;
  }
  folder.write("nodes.jsonl", "{\"nodes\":1,\"edges\":[],\"node_targets\":[1]}\n");
  EXPECT_NE(message_of([&] { DatasetBlocks(folder.path("nodes.jsonl"), blocks_of(9)); }).find("--max-memory"),
            std::string::npos);
}

TEST(DatasetBlocks, NoticeAFileThatChangesBetweenThePasses) {
  const TemporaryFolder folder;
  const std::string line = "{\"nodes\":2,\"edges\":[[0,1]],\"target\":\"a\"}\n";
  for (const std::string& later :
       {line, line + line + line, line + "{\"nodes\":1,\"edges\":[],\"target\":\"b\"}\n"}) {
    folder.write("d.jsonl", line + line);
    DatasetBlocks blocks(folder.path("d.jsonl"), blocks_of(1));
    folder.write("d.jsonl", later);
    Dataset block;
    EXPECT_NE(message_of([&] {
                while (blocks.next(block)) {
                }
              }).find("changed while it was read"),
              std::string::npos)
        << later;
  }
}

TEST(DatasetBlocks, SuitFilesThatWouldNotFit) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{\"nodes\":2,\"edges\":[[0,1]],\"target\":\"a\"}\n";
  folder.write("d.jsonl", text);
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.jsonl"), 0));
  EXPECT_TRUE(DatasetBlocks::suits(folder.path("d.jsonl"), 7 * text.size()));
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.jsonl"), 9 * text.size()));
  EXPECT_FALSE(DatasetBlocks::suits("-", 1));
  EXPECT_FALSE(DatasetBlocks::suits("TRIANGLE", 1));
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("none.jsonl"), 1));
  folder.write("d.g6", "A_\nA_\n");
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.g6"), 1));
  folder.write("d.csv", "smiles,y\nC,1\n");
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.csv"), 1));
}

}  // namespace
}  // namespace twofold::testing
