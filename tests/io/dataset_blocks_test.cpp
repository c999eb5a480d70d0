// Datasets read in blocks of graphs (dataset_blocks.h).
#include "twofold/io/dataset_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "tests/support/named_graphs.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph6.h"
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

void expect_frame_of(const Dataset& whole, const io::DatasetFrame& frame) {
  const io::WrittenKinds kinds = io::written_kinds(whole.graphs);
  EXPECT_EQ(frame.kinds.node_labels, kinds.node_labels);
  EXPECT_EQ(frame.kinds.edge_labels, kinds.edge_labels);
  std::set<Label> labels;
  bool bare = false;
  for (const Graph& g : whole.graphs) {
    labels.insert(g.node_labels().begin(), g.node_labels().end());
    bare = bare || (g.num_nodes() > 0 && !g.has_node_labels());
  }
  if (whole.node_label_names.empty()) {
    EXPECT_EQ(frame.node_labels, labels);
  }
  EXPECT_EQ(frame.has_bare_nodes, bare);
}

io::BlocksOptions blocks_of(std::uint64_t bytes, int threads = 1) {
  io::BlocksOptions options;
  options.block_bytes = bytes;
  options.threads = threads;
  return options;
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// NaN, which stands for an unknown target, counts as equal to itself.
bool is_same(Dataset a, Dataset b) {
  for (Dataset* dataset : {&a, &b})
    for (double& value : dataset->real_targets)
      if (std::isnan(value)) value = -1;
  return a == b;
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
      expect_frame_of(whole, blocks.frame());
    }
  }
}

using TuTexts = std::map<std::string, std::string>;

void write_tu(const TemporaryFolder& folder, const TuTexts& texts) {
  for (const auto& [suffix, text] : texts) folder.write("D" + suffix + ".txt", text);
}

// Some of the files that a TU folder may have, with the traps of real ones: edges once, twice or in both
// directions, self-loops, isolated nodes, entries that are or are not in the order of their graphs.
TuTexts random_tu(Random& random, std::size_t count) {
  const bool node_labels = random.chance(0.5), edge_labels = random.chance(0.4), reals = random.chance(0.4),
             edge_reals = random.chance(0.3), sorted = random.chance(0.5), targets = random.chance(0.5);
  TuTexts texts;
  for (const char* suffix : {"_A", "_graph_indicator"}) texts[suffix] = "";
  if (!targets || random.chance(0.5)) texts["_graph_labels"] = "";
  struct Entry {
    std::size_t u, v;
    std::uint64_t drawn;
  };
  std::vector<Entry> entries;
  std::size_t first = 1;
  for (std::size_t g = 0; g < count; ++g) {
    const std::size_t n = 1 + random.below(6);
    for (std::size_t v = 0; v < n; ++v) {
      texts["_graph_indicator"] += fmt::format("{}\n", g + 1);
      if (node_labels) texts["_node_labels"] += fmt::format("{}\n", random.below(5));
      if (reals) texts["_node_attributes"] += fmt::format("{}.5, {}\n", random.below(9), random.below(9));
      if (!random.chance(0.8)) continue;
      const std::size_t u = random.below(n);
      const Entry entry{first + u, first + v, random.below(3)};
      const std::uint64_t times = 1 + random.below(3);
      for (std::uint64_t k = 0; k < times; ++k)
        entries.push_back(random.chance(0.5) ? entry : Entry{entry.v, entry.u, entry.drawn});
    }
    if (texts.count("_graph_labels") > 0) texts["_graph_labels"] += fmt::format("{}\n", random.below(12));
    if (targets)
      texts["_graph_attributes"] += random.chance(0.2) ? "nan\n" : fmt::format("{}\n", random.below(9));
    first += n;
  }
  if (!sorted) random.shuffle(entries);
  // An edge that is drawn twice in a graph has the data of the first time.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> data;
  for (const Entry& e : entries) {
    const std::uint64_t drawn = data.emplace(std::minmax(e.u, e.v), e.drawn).first->second;
    texts["_A"] += fmt::format("{},{}{}\n", e.u, random.chance(0.5) ? " " : "", e.v);
    if (edge_labels) texts["_edge_labels"] += fmt::format("{}\n", drawn);
    if (edge_reals) texts["_edge_attributes"] += fmt::format("{}.25\n", drawn);
  }
  for (auto& [suffix, text] : texts)
    if (random.chance(0.2)) text += "\n \t\r\n";
  return texts;
}

TEST(DatasetBlocks, OfATuFolderTogetherAreTheDataset) {
  Random random(17);
  for (int trial = 0; trial < 60; ++trial) {
    const TemporaryFolder folder;
    write_tu(folder, random_tu(random, 1 + random.below(40)));
    SCOPED_TRACE(read_file(folder.path("D_A.txt")));
    const Dataset whole = io::read_dataset(folder.path());
    for (const std::uint64_t bytes : {1, 37, 500, 1 << 20}) {
      DatasetBlocks blocks(folder.path(), blocks_of(bytes, 1 + static_cast<int>(random.below(4))));
      EXPECT_EQ(blocks.num_graphs(), whole.graphs.size());
      EXPECT_TRUE(is_same(joined(blocks), whole)) << bytes;
      blocks.rewind();
      EXPECT_TRUE(is_same(joined(blocks), whole)) << "again";
      expect_frame_of(whole, blocks.frame());
    }
  }
}

TEST(DatasetBlocks, OfATuFolderRefuseWhatTheReaderRefusesInTheSameWords) {
  const TuTexts good = {{"_A", "1, 2\n2, 1\n3, 4\n4, 3\n"},
                        {"_graph_indicator", "1\n1\n2\n2\n"},
                        {"_graph_labels", "1\n-1\n"},
                        {"_node_labels", "0\n1\n2\n3\n"},
                        {"_node_attributes", "1, 2\n1, 2\n1, 2\n1, 2\n"},
                        {"_edge_labels", "5\n5\n6\n6\n"},
                        {"_edge_attributes", "1\n1\n2\n2\n"}};
  const struct {
    const char* suffix;
    const char* text;
  } changes[] = {
      {"_A", "1, 2\n2, 1\n3, 4\n4, 2\n"},
      {"_A", "1, 2\n2, 1\n3, 5\n4, 3\n"},
      {"_A", "1, 2\n2\n3, 4\n4, 3\n"},
      {"_A", "1, 2\n\n2, 1\n3, 4\n4, 3\n"},
      {"_A", "1, 2\n2, 1\n3, 4\n4,"},
      {"_A", "1, 2\n2, 1 \r \n3, 4\n4, 3\n"},
      {"_A", ""},
      {"_graph_indicator", ""},
      {"_graph_indicator", "1\n1\n3\n3\n"},
      {"_graph_indicator", "1\n1\n2\nx\n"},
      {"_graph_indicator", "1\n1\n2\n"},
      {"_graph_labels", "1\n"},
      {"_graph_labels", "1\n2\n3\n"},
      {"_graph_labels", "1\n2.5\n"},
      {"_node_labels", "0\n1\n2\n"},
      {"_node_labels", "0\n1\n2\n3 4\n"},
      {"_node_attributes", "1,2\n1\n1,2\n1,2"},
      {"_node_attributes", "1,2\n1,inf\n1,2\n1,2"},
      {"_edge_labels", "5\n5\n6\n"},
      {"_edge_labels", "5\n5\n6\n6\n7\n"},
      {"_edge_labels", "5\n5\n6\n7\n"},
      {"_edge_attributes", "1\n1\n2\n3\n"},
  };
  for (const auto& change : changes) {
    const TemporaryFolder folder;
    TuTexts texts = good;
    texts[change.suffix] = change.text;
    write_tu(folder, texts);
    const std::string whole = message_of([&] { io::read_dataset(folder.path()); });
    EXPECT_NE(whole, "") << change.suffix << change.text;
    for (const std::uint64_t bytes : {1, 20, 1 << 20})
      EXPECT_EQ(message_of([&] { DatasetBlocks(folder.path(), blocks_of(bytes)); }), whole);
  }
  for (const char* suffix : {"_A", "_graph_indicator", "_graph_labels"}) {
    const TemporaryFolder folder;
    TuTexts texts = good;
    texts.erase(suffix);
    write_tu(folder, texts);
    const std::string whole = message_of([&] { io::read_dataset(folder.path()); });
    EXPECT_NE(whole, "");
    EXPECT_EQ(message_of([&] { DatasetBlocks(folder.path(), blocks_of(9)); }), whole);
  }
  const TemporaryFolder folder;
  TuTexts texts = good;
  texts["_node_targets"] = "1\n2\n1\n2\n";
  write_tu(folder, texts);
  EXPECT_NE(message_of([&] { DatasetBlocks(folder.path(), blocks_of(9)); }).find("--max-memory"),
            std::string::npos);
}

TEST(DatasetBlocks, OfATuFolderNoticeFilesThatChangeBetweenThePasses) {
  const TuTexts good = {
      {"_A", "1, 2\n2, 1\n3, 4\n4, 3\n"}, {"_graph_indicator", "1\n1\n2\n2\n"}, {"_graph_labels", "1\n2\n"}};
  const struct {
    const char* suffix;
    const char* text;
  } changes[] = {{"_A", "1, 2\n2, 1\n3, 4\n"},
                 {"_A", "1, 2\n2, 1\n3, 4\n4, 3\n3, 4\n"},
                 {"_A", "3, 4\n4, 3\n1, 2\n2, 1\n"},
                 {"_graph_labels", "1\n3\n"}};
  for (const auto& change : changes) {
    const TemporaryFolder folder;
    write_tu(folder, good);
    DatasetBlocks blocks(folder.path(), blocks_of(1));
    write_tu(folder, {{change.suffix, change.text}});
    blocks.rewind();
    Dataset block;
    EXPECT_NE(message_of([&] {
                while (blocks.next(block)) {
                }
              }).find("changed while it was read"),
              std::string::npos)
        << change.text;
  }
}

TEST(DatasetBlocks, OfGraph6LinesTogetherAreTheDataset) {
  Random random(18);
  const TemporaryFolder folder;
  for (int trial = 0; trial < 40; ++trial) {
    const bool directed = random.chance(0.3);
    std::string text = random.chance(0.3) ? (directed ? ">>digraph6<<" : ">>graph6<<") : "";
    if (!text.empty() && random.chance(0.5)) text += "\n";
    const std::size_t count = 1 + random.below(30);
    for (std::size_t g = 0; g < count; ++g) {
      const std::size_t n = random.below(30);
      GraphBuilder builder(n);
      if (directed) builder.set_directed();
      for (std::size_t k = 0; n > 0 && k < 2 * n; ++k) {
        const auto u = static_cast<Node>(random.below(n)), v = static_cast<Node>(random.below(n));
        if (directed)
          builder.add_arc(u, v);
        else
          builder.add_edge(u, v);
      }
      const Graph graph = std::move(builder).build();
      text += directed             ? io::to_digraph6(graph)
              : random.chance(0.5) ? io::to_graph6(graph)
                                   : io::to_sparse6(graph);
      text += random.chance(0.1) ? "\r\n" : "\n";
    }
    if (random.chance(0.3)) text += " \n\n";
    folder.write("d.g6", text);
    const Dataset whole = io::read_dataset(folder.path("d.g6"));
    for (const std::uint64_t bytes : {1, 37, 500, 1 << 20}) {
      DatasetBlocks blocks(folder.path("d.g6"), blocks_of(bytes));
      EXPECT_TRUE(joined(blocks) == whole) << bytes << text;
      blocks.rewind();
      EXPECT_TRUE(joined(blocks) == whole) << "again";
      expect_frame_of(whole, blocks.frame());
    }
  }
}

TEST(DatasetBlocks, OfGraph6LinesRefuseWhatTheReaderRefusesInTheSameWords) {
  const TemporaryFolder folder;
  for (const std::string& text :
       {std::string("A_\nA\nA_\n"), std::string("A_\n\nA_\n"), std::string("A_\n&A_\nA_\n"),
        std::string("A_\nA_ \nA_\n"), std::string("A_\n;A\n"), std::string("hello\nA_\n"),
        std::string(">>graph6<<\n"), std::string("A_\nA_\t\n")})
    for (const char* name : {"d.g6", "d.txt"}) {
      folder.write(name, text);
      const std::string whole = message_of([&] { io::read_dataset(folder.path(name)); });
      EXPECT_NE(whole, "") << text;
      for (const std::uint64_t bytes : {1, 4, 1 << 20})
        EXPECT_EQ(message_of([&] { DatasetBlocks(folder.path(name), blocks_of(bytes)); }), whole) << text;
    }
  // A blank at the end of the last line is none.
  folder.write("d.g6", "A_\nA_ \n\n");
  DatasetBlocks blocks(folder.path("d.g6"), blocks_of(1));
  EXPECT_EQ(joined(blocks).graphs.size(), 2U);
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
    while (blocks.next(block)) io::write_block(block, io::Format::kJsonLines, blocks.frame().kinds, to(parts));
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
  EXPECT_TRUE(DatasetBlocks::suits(folder.path("d.g6"), 1));
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.g6"), 1 << 20));
  folder.write("words.txt", "these are no graphs\n");
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("words.txt"), 1));
  const TemporaryFolder tu;
  write_tu(tu, {{"_A", "1, 2\n"}, {"_graph_indicator", "1\n1\n"}, {"_graph_labels", "0\n"}});
  EXPECT_TRUE(DatasetBlocks::suits(tu.path(), 1));
  EXPECT_FALSE(DatasetBlocks::suits(tu.path(), 1 << 20));
  folder.write("d.csv", "smiles,y\nC,1\n");
  EXPECT_FALSE(DatasetBlocks::suits(folder.path("d.csv"), 1));
}

}  // namespace
}  // namespace twofold::testing
