#include "twofold/levels/level_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "tests/support/named_graphs.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::levels {
namespace {

using pairs::Radius;

std::vector<Graph> some_graphs() {
  Random random(9);
  std::vector<Graph> graphs;
  for (int k = 0; k < 8; ++k) graphs.push_back(testing::random_graph(random, random.below(12), 0.3, 2));
  return graphs;
}

template <typename Item>
bool same(const Levels<Item>& a, const Levels<Item>& b) {
  bool is_same = a.levels_per_round == b.levels_per_round && a.levels.size() == b.levels.size() &&
                 a.initial == b.initial && a.pool_offsets == b.pool_offsets && a.pool_rows == b.pool_rows &&
                 a.pool_counts == b.pool_counts && a.pool_loops == b.pool_loops &&
                 a.graph_rows == b.graph_rows && a.graph_items == b.graph_items;
  for (std::size_t k = 0; is_same && k < a.levels.size(); ++k)
    is_same = a.levels[k].own == b.levels[k].own && a.levels[k].origin == b.levels[k].origin &&
              a.levels[k].offsets == b.levels[k].offsets && a.levels[k].items == b.levels[k].items &&
              a.levels[k].multiplicity == b.levels[k].multiplicity;
  return is_same;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
}

TEST(LevelCache, GivesBackWhatWasBuilt) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  const CachedLevels<RowPair> first = cached_color_levels(folder.path(), graphs, Radius(2));
  EXPECT_FALSE(first.was_read);
  EXPECT_EQ(first.trouble, "");
  const CachedLevels<RowPair> second = cached_color_levels(folder.path(), graphs, Radius(2));
  EXPECT_TRUE(second.was_read);
  EXPECT_TRUE(same(first.levels, second.levels));
  second.levels.check();
  const CachedLevels<RowPair> none = cached_color_levels(folder.path(), {}, Radius(2));
  EXPECT_TRUE(same(none.levels, cached_color_levels(folder.path(), {}, Radius(2)).levels));
}

TEST(LevelCache, GivesBackLevelsOfNeighbors) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  for (const NeighborRows kind : {NeighborRows::kVertices, NeighborRows::kEdges}) {
    NeighborLevelOptions options;
    options.kind = kind;
    const NeighborLevels built = build_neighbor_levels(graphs, options);
    const CachedLevels<Row> first = cached_neighbor_levels(folder.path(), graphs, options);
    EXPECT_FALSE(first.was_read);
    EXPECT_EQ(first.trouble, "");
    const CachedLevels<Row> second = cached_neighbor_levels(folder.path(), graphs, options);
    EXPECT_TRUE(second.was_read);
    EXPECT_TRUE(same(first.levels, built));
    EXPECT_TRUE(same(second.levels, built));
    second.levels.check();
  }
}

TEST(LevelCache, KeysTellApartWhatShapesTheLevels) {
  const std::vector<Graph> graphs = some_graphs();
  const ColorLevelOptions plain;
  const LevelKey key = level_key(graphs, Radius(2), plain);
  EXPECT_EQ(level_key(some_graphs(), Radius(2), plain), key);
  EXPECT_NE(level_key(graphs, Radius(3), plain), key);
  EXPECT_NE(level_key(graphs, Radius::all(), plain), key);
  ColorLevelOptions other = plain;
  other.rounds = 4;
  EXPECT_NE(level_key(graphs, Radius(2), other), key);
  other = plain;
  other.indicators = false;
  EXPECT_NE(level_key(graphs, Radius(2), other), key);
  other = plain;
  other.attributes = AttributeUse::kDouble;
  EXPECT_NE(level_key(graphs, Radius(2), other), key);
  other = plain;
  other.threads = 7;  // changes nothing in the result
  EXPECT_EQ(level_key(graphs, Radius(2), other), key);
  std::vector<Graph> swapped = graphs;
  std::swap(swapped[0], swapped[1]);
  EXPECT_NE(level_key(swapped, Radius(2), plain), key);
  // One edge moved, one label, one attribute.
  EXPECT_NE(level_key(std::vector<Graph>{testing::path(4)}, Radius(1), plain),
            level_key(std::vector<Graph>{testing::star(3)}, Radius(1), plain));
  const auto with_attribute = [](double value) {
    GraphBuilder builder(1);
    builder.set_node_attributes(1, {value});
    return std::vector<Graph>{std::move(builder).build()};
  };
  EXPECT_NE(level_key(with_attribute(1), Radius(1), plain), level_key(with_attribute(2), Radius(1), plain));
}

TEST(LevelCache, KeysTellApartWhatShapesLevelsOfNeighbors) {
  const std::vector<Graph> graphs = some_graphs();
  const NeighborLevelOptions plain;
  std::vector<LevelKey> keys = {level_key(graphs, plain), level_key(graphs, Radius(1), {})};
  NeighborLevelOptions other = plain;
  const auto add = [&] {
    keys.push_back(level_key(graphs, other));
    other = plain;
  };
  other.kind = NeighborRows::kEdges;
  add();
  other.rounds = 2;
  add();
  other.self_loops = false;
  add();
  other.degrees = true;
  add();
  other.indicators = false;
  add();
  other.attributes = AttributeUse::kNone;
  add();
  for (std::size_t a = 0; a < keys.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(keys[a], keys[b]) << a << " and " << b;
  other.max_memory = 1 << 20;  // changes nothing in the result
  EXPECT_EQ(level_key(graphs, other), keys[0]);
  // The same number of self-loops at another node.
  const auto with_loop = [](Node v) {
    GraphBuilder builder(3);
    builder.add_edge(0, 1);
    builder.add_edge(v, v);
    return std::vector<Graph>{std::move(builder).build()};
  };
  EXPECT_NE(level_key(with_loop(0), plain), level_key(with_loop(2), plain));
}

TEST(LevelCache, NoticesADamagedFileOfLevelsOfNeighbors) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const LevelKey key = level_key(graphs, options);
  const std::string path = folder.path() + "/" + level_file_name(key);
  ASSERT_EQ(cached_neighbor_levels(folder.path(), graphs, options).trouble, "");
  const std::string good = read_file(path);
  for (std::size_t at = 0; at < good.size(); at += at < 400 ? 1 : 131) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    write(path, bad);
    EXPECT_THROW(read_levels<Row>(path, key), InputError) << "byte " << at;
  }
  const CachedLevels<Row> again = cached_neighbor_levels(folder.path(), graphs, options);
  EXPECT_FALSE(again.was_read);
  EXPECT_NE(again.trouble.find(path), std::string::npos) << again.trouble;
  EXPECT_TRUE(same(again.levels, build_neighbor_levels(graphs, options)));
  EXPECT_EQ(read_file(path), good);
}

TEST(LevelCache, RefusesAFileOfTheOtherKindUnderTheSameName) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  NeighborLevelOptions options;
  const LevelKey key = level_key(graphs, options);
  const std::string path = folder.path() + "/" + level_file_name(key);
  write_levels(path, build_color_levels(graphs, Radius(1)), key);
  EXPECT_THROW(read_levels<Row>(path, key), InputError);
  EXPECT_NE(cached_neighbor_levels(folder.path(), graphs, options).trouble, "");
  // Levels of neighbors whose rounds are two levels.
  NeighborLevelOptions edges;
  edges.kind = NeighborRows::kEdges;
  write_levels(path, build_neighbor_levels(graphs, edges), key);
  const CachedLevels<Row> cached = cached_neighbor_levels(folder.path(), graphs, options);
  EXPECT_FALSE(cached.was_read);
  EXPECT_NE(cached.trouble, "");
  EXPECT_TRUE(cached_neighbor_levels(folder.path(), graphs, options).was_read);
}

TEST(LevelCache, RebuildsADamagedFileAndSaysWhy) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  const LevelKey key = level_key(graphs, Radius(1), {});
  ASSERT_EQ(cached_color_levels(folder.path(), graphs, Radius(1)).trouble, "");
  const std::string path = folder.path() + "/" + level_file_name(key);
  const std::string good = read_file(path);
  // Every byte of the head, and of the rest a sample: any changed bit is noticed.
  for (std::size_t at = 0; at < good.size(); at += at < 400 ? 1 : 131) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    write(path, bad);
    EXPECT_THROW(read_levels<RowPair>(path, key), InputError) << "byte " << at;
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{64}, std::size_t{100}, good.size() - 1}) {
    write(path, good.substr(0, size));
    EXPECT_THROW(read_levels<RowPair>(path, key), InputError) << size << " bytes";
  }
  const CachedLevels<RowPair> again = cached_color_levels(folder.path(), graphs, Radius(1));
  EXPECT_FALSE(again.was_read);
  EXPECT_NE(again.trouble.find(path), std::string::npos) << again.trouble;
  EXPECT_TRUE(same(again.levels, build_color_levels(graphs, Radius(1))));
  EXPECT_EQ(read_file(path), good);
  // The file of other levels under this name.
  EXPECT_THROW(read_levels<RowPair>(path, level_key(graphs, Radius(2), {})), InputError);
}

TEST(LevelCache, RebuildsAFileOfOtherGraphsUnderTheSameName) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = {testing::path(3), testing::path(2)};
  const LevelKey key = level_key(graphs, Radius(1), {});
  const std::string path = folder.path() + "/" + level_file_name(key);
  for (const std::vector<Graph>& others :
       {std::vector<Graph>{testing::path(3)}, std::vector<Graph>{testing::empty_graph(1), testing::cycle(9)},
        std::vector<Graph>{testing::path(1), testing::path(2), testing::path(2)}}) {
    write_levels(path, build_color_levels(others, Radius(1)), key);
    const CachedLevels<RowPair> cached = cached_color_levels(folder.path(), graphs, Radius(1));
    EXPECT_FALSE(cached.was_read);
    EXPECT_NE(cached.trouble, "");
    EXPECT_TRUE(cached_color_levels(folder.path(), graphs, Radius(1)).was_read);
  }
}

TEST(LevelCache, WorksWithoutAPlaceToWriteTo) {
  const testing::TemporaryFolder folder;
  const CachedLevels<RowPair> built = cached_color_levels(folder.path() + "/missing", some_graphs(), Radius(1));
  EXPECT_FALSE(built.was_read);
  EXPECT_NE(built.trouble, "");
  built.levels.check();
}

TEST(LevelCache, OneOfManyBuildsTheLevelsAndLeavesOneCompleteFile) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = some_graphs();
  std::atomic<int> built{0};
  parallel_for(12, 4, [&](std::size_t) {
    const CachedLevels<RowPair> cached = cached_color_levels(folder.path(), graphs, Radius(2));
    TWOFOLD_CHECK(cached.trouble.empty(), "{}", cached.trouble);
    cached.levels.check();
    built += !cached.was_read;
  });
  EXPECT_EQ(built, 1);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.is_regular_file();
  EXPECT_EQ(files, 1u);
}

}  // namespace
}  // namespace twofold::levels
