#include "twofold/levels/level_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/file_lock.h"
#include "twofold/base/memory_limit.h"
#include "twofold/levels/class_index.h"

namespace twofold::levels {
namespace {

// A file is a Header, levels_per_round and one length per section, and the sections one after the other, each
// from a multiple of kAlign on, zeros between; all in the byte order of the machine, which kMagic shows. The
// checksum covers all behind the header.
constexpr std::uint64_t kMagic = 0x316c657665326674u;
constexpr std::uint64_t kVersion = 2;
constexpr std::uint64_t kAlign = 64;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t version = kVersion;
  LevelKey key{};
  std::uint64_t num_levels = 0;
  std::uint64_t size = 0;  // of the file
  std::uint64_t checksum = 0;
  std::uint64_t item_bytes = 0;
};

// Two chains, so that 128 bits depend on every word.
class Digest {
 public:
  void add(std::uint64_t word) {
    a_ = hash_on(a_, word);
    b_ = (((b_ << 29) | (b_ >> 35)) + word) * 0xc2b2ae3d27d4eb4fu;
  }
  template <typename T>
  void add(Span<const T> values) {
    add(values.size());
    add_bytes(values.data(), values.size() * sizeof(T));
  }
  void add_bytes(const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    std::uint64_t word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
      std::memcpy(&word, bytes, sizeof word);
      add(word);
    }
    word = 0;
    if (size > 0) {
      std::memcpy(&word, bytes, size);
      add(word);
    }
  }
  LevelKey result() const { return {hash_end(a_ ^ hash_end(b_)), hash_end(b_ + 0x165667b19e3779f9u)}; }

 private:
  std::uint64_t a_ = 1;
  std::uint64_t b_ = 2;
};

std::uint64_t aligned(std::uint64_t position) { return (position + kAlign - 1) / kAlign * kAlign; }

// Calls visit(array) for every array in the order of the file.
template <typename AnyLevels, typename Visit>
void for_each_array(AnyLevels& levels, const Visit& visit) {
  visit(levels.initial);
  visit(levels.pool_offsets);
  visit(levels.pool_rows);
  visit(levels.pool_counts);
  visit(levels.pool_loops);
  visit(levels.graph_rows);
  visit(levels.graph_items);
  for (auto& level : levels.levels) {
    visit(level.own);
    visit(level.origin);
    visit(level.offsets);
    visit(level.items);
    visit(level.multiplicity);
  }
}

class Mapping {
 public:
  explicit Mapping(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Error(fmt::format("cannot open {}: {}", path, system_error_text(errno)));
    struct stat status {};
    const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    size_ = is_file ? static_cast<std::size_t>(status.st_size) : 0;
    try {
      memory_.emplace(path, size_);
    } catch (...) {
      close(descriptor);
      throw;
    }
    if (size_ > 0) {
      void* data = mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
      if (data != MAP_FAILED) data_ = static_cast<const char*>(data);
    }
    const int code = errno;
    close(descriptor);
    if (size_ > 0 && data_ == nullptr)
      throw Error(fmt::format("cannot map {}: {}", path, system_error_text(code)));
  }
  ~Mapping() {
    if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::optional<MappedMemory> memory_;
};

// What levels are of, as keys tell them apart.
enum class Kind { kPairs, kVertices, kEdges };

void add_graphs(Span<const Graph> graphs, AttributeUse attributes, Digest& digest) {
  digest.add(graphs.size());
  const bool with_attributes = attributes != AttributeUse::kNone;
  for (const Graph& g : graphs) {
    digest.add(g.num_nodes());
    for (Node v = 0; v < g.num_nodes(); ++v) {
      digest.add(g.neighbors(v));
      if (with_attributes) digest.add(g.node_attributes(v));
    }
    digest.add(g.node_labels());
    digest.add(g.edge_labels());
    digest.add(g.self_loops());
    for (std::size_t e = 0; with_attributes && g.num_edge_attributes() > 0 && e < g.num_edges(); ++e)
      digest.add(g.edge_attributes(e));
  }
}

// Whether the levels can be those of these graphs, as far as numbers go that are used to look something up in
// them.
template <typename Item>
void require_fit(const Levels<Item>& levels, Span<const Graph> graphs,
                 Span<const std::vector<std::uint32_t>> node_times, std::size_t levels_per_round, int rounds,
                 const std::string& path) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) throw_input_error(path, 0, "levels of these graphs", what);
  };
  require(levels.num_graphs() == graphs.size(), "others");
  require(
      levels.levels_per_round == levels_per_round && levels.num_rounds() == static_cast<std::size_t>(rounds),
      "another number of rounds");
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    std::uint64_t loops = 0;
    for (std::uint64_t at = levels.pool_offsets[g]; at < levels.pool_offsets[g + 1]; ++at)
      loops += levels.pool_loops[at];
    std::uint64_t nodes = graphs[g].num_nodes();
    if (!node_times.empty())
      nodes = std::accumulate(node_times[g].begin(), node_times[g].end(), std::uint64_t{0});
    require(loops == nodes, "graphs of other sizes");
  }
  for (const InitialRow& row : levels.initial) {
    require(row.graph < graphs.size(), "a graph that is not there");
    const Graph& g = graphs[row.graph];
    require(row.u < g.num_nodes() && row.v < g.num_nodes(), "a node that is not there");
    const auto kind = static_cast<pairs::RowKind>(row.kind);
    require(row.kind <= static_cast<std::uint32_t>(pairs::RowKind::kIndirect) &&
                (row.u == row.v) == (kind == pairs::RowKind::kLoop) &&
                g.has_edge(row.u, row.v) == (kind == pairs::RowKind::kEdge),
            "a pair of another kind");
  }
}

// From the file of that key if it can be read and fits, or else built and written.
template <typename Item, typename Fit, typename Build>
CachedLevels<Item> cached(const std::string& folder, const LevelKey& key, const Fit& require_fitting,
                          const Build& build) {
  const std::string path = folder + "/" + level_file_name(key);
  CachedLevels<Item> result;
  const auto read = [&] {
    if (access(path.c_str(), F_OK) != 0) return false;
    try {
      result.levels = read_levels<Item>(path, key);
      require_fitting(result.levels, path);
      result.was_read = true;
    } catch (const Error& error) {
      result.trouble = error.what();
    }
    return result.was_read;
  };
  if (read()) return result;
  // Of processes that start together one builds, the others wait and read.
  std::optional<FileLock> lock;
  try {
    lock.emplace(path + ".lock");
  } catch (const Error& error) {
    if (result.trouble.empty()) result.trouble = error.what();
  }
  if (lock && read()) return result;
  result.levels = build();
  try {
    write_levels(path, result.levels, key);
    // From now on the memory is that of the file, shared with the others.
    result.levels = read_levels<Item>(path, key);
  } catch (const Error& error) {
    if (result.trouble.empty()) result.trouble = error.what();
  }
  return result;
}

}  // namespace

LevelKey level_key(Span<const Graph> graphs, pairs::Radius radius, const ColorLevelOptions& options) {
  Digest digest;
  digest.add(kVersion);
  digest.add(static_cast<std::uint64_t>(Kind::kPairs));
  digest.add(radius.is_all() ? 0 : radius.steps());
  digest.add(static_cast<std::uint64_t>(options.rounds));
  digest.add(static_cast<std::uint64_t>(options.attributes) * 4 + std::uint64_t{options.indicators} * 2 +
             std::uint64_t{options.twins});
  add_graphs(graphs, options.attributes, digest);
  for (const std::vector<std::uint32_t>& times : options.node_times)
    digest.add(Span<const std::uint32_t>(times));
  return digest.result();
}

LevelKey level_key(Span<const Graph> graphs, const NeighborLevelOptions& options) {
  Digest digest;
  digest.add(kVersion);
  digest.add(static_cast<std::uint64_t>(options.kind == NeighborRows::kEdges ? Kind::kEdges : Kind::kVertices));
  digest.add(static_cast<std::uint64_t>(options.rounds));
  digest.add(static_cast<std::uint64_t>(options.attributes) * 8 + std::uint64_t{options.indicators} * 4 +
             std::uint64_t{options.self_loops} * 2 + std::uint64_t{options.degrees});
  add_graphs(graphs, options.attributes, digest);
  for (const std::vector<std::uint32_t>& times : options.node_times)
    digest.add(Span<const std::uint32_t>(times));
  return digest.result();
}

std::string level_file_name(const LevelKey& key) {
  return fmt::format("levels-{:016x}{:016x}", key[0], key[1]);
}

template <typename Item>
void write_levels(const std::string& path, const Levels<Item>& levels, const LevelKey& key) {
  Header header;
  header.item_bytes = sizeof(Item);
  header.key = key;
  header.num_levels = levels.levels.size();
  std::vector<std::uint64_t> lengths = {levels.levels_per_round};
  for_each_array(levels, [&](const auto& array) { lengths.push_back(array.size()); });

  // Everything is gone through twice: once for size and checksum, which stand in front, and once to write it.
  const std::string zeros(kAlign, '\0');
  const auto emit = [&](const auto& put) {
    std::uint64_t at = sizeof(Header);
    const auto put_array = [&](const void* data, std::uint64_t bytes) {
      put(data, bytes);
      put(zeros.data(), aligned(at + bytes) - at - bytes);
      at = aligned(at + bytes);
    };
    put_array(lengths.data(), lengths.size() * sizeof(std::uint64_t));
    for_each_array(levels,
                   [&](const auto& array) { put_array(array.data(), array.size() * sizeof(array[0])); });
    return at;
  };
  Digest digest;
  header.size = emit([&](const void* data, std::uint64_t bytes) { digest.add_bytes(data, bytes); });
  header.checksum = digest.result()[0];
  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  emit([&](const void* data, std::uint64_t bytes) {
    constexpr std::uint64_t kBlock = 1 << 20;
    const char* from = static_cast<const char*>(data);
    for (std::uint64_t at = 0; at < bytes; at += kBlock) file.write({from + at, std::min(kBlock, bytes - at)});
  });
  file.commit();
}

template <typename Item>
Levels<Item> read_levels(const std::string& path, const LevelKey& key) {
  const auto mapping = std::make_shared<const Mapping>(path);
  const auto require = [&](bool holds, const std::string& need, const std::string& found) {
    if (!holds) throw_input_error(path, 0, need, found);
  };
  Header header;
  require(mapping->size() >= sizeof header, "a file of levels", fmt::format("{} bytes", mapping->size()));
  std::memcpy(&header, mapping->data(), sizeof header);
  require(header.magic == kMagic, "a file of levels written on such a machine", "something else");
  require(header.version == kVersion, fmt::format("version {}", kVersion), std::to_string(header.version));
  require(header.key == key, level_file_name(key), level_file_name(header.key));
  require(header.size == mapping->size(), fmt::format("{} bytes", header.size),
          fmt::format("{}", mapping->size()));
  require(header.item_bytes == sizeof(Item), fmt::format("items of {} bytes", sizeof(Item)),
          std::to_string(header.item_bytes));
  const std::uint64_t most_levels = mapping->size() / 40;
  require(header.num_levels > 0 && header.num_levels <= most_levels, "levels that fit into the file",
          std::to_string(header.num_levels));
  Levels<Item> levels;
  levels.levels.resize(header.num_levels);
  std::size_t num_arrays = 0;
  for_each_array(levels, [&](auto&) { ++num_arrays; });
  std::uint64_t at = sizeof header;
  Digest digest;
  const auto take = [&](std::uint64_t count, std::uint64_t item) {
    require(count <= (mapping->size() - at) / item, "sections that fit into the file", "a longer one");
    const char* data = mapping->data() + at;
    const std::uint64_t bytes = count * item;
    digest.add_bytes(data, bytes);
    require(aligned(at + bytes) <= mapping->size(), "sections that fit into the file", "a longer one");
    digest.add_bytes(data + bytes, aligned(at + bytes) - at - bytes);
    at = aligned(at + bytes);
    return data;
  };
  const auto* lengths = reinterpret_cast<const std::uint64_t*>(take(1 + num_arrays, sizeof(std::uint64_t)));
  levels.levels_per_round = *lengths++;
  for_each_array(levels, [&](auto& array) {
    using Array = std::decay_t<decltype(array)>;
    const std::uint64_t count = *lengths++;
    using Value = typename Array::value_type;
    const char* data = take(count, sizeof(Value));
    array = Array(reinterpret_cast<const Value*>(data), count);
  });
  require(at == mapping->size(), fmt::format("{} bytes", at), fmt::format("{}", mapping->size()));
  require(digest.result()[0] == header.checksum || !kChecksumsCount,
          fmt::format("the checksum {:016x}", header.checksum), fmt::format("{:016x}", digest.result()[0]));
  try {
    levels.check();
  } catch (const CheckError& error) {
    throw_input_error(path, 0, "levels", error.what());
  }
  levels.storage = mapping;
  return levels;
}

template void write_levels(const std::string&, const Levels<RowPair>&, const LevelKey&);
template void write_levels(const std::string&, const Levels<Row>&, const LevelKey&);
template Levels<RowPair> read_levels(const std::string&, const LevelKey&);
template Levels<Row> read_levels(const std::string&, const LevelKey&);

CachedLevels<RowPair> cached_color_levels(const std::string& folder, Span<const Graph> graphs,
                                          pairs::Radius radius, const ColorLevelOptions& options) {
  const LevelKey key = level_key(graphs, radius, options);
  return cached<RowPair>(
      folder, key,
      [&](const ColorLevels& read, const std::string& path) {
        require_fit(read, graphs, options.node_times, 1, options.rounds, path);
      },
      [&] { return build_color_levels(graphs, radius, options); });
}

CachedLevels<Row> cached_neighbor_levels(const std::string& folder, Span<const Graph> graphs,
                                         const NeighborLevelOptions& options) {
  const LevelKey key = level_key(graphs, options);
  const std::size_t levels_per_round = options.kind == NeighborRows::kEdges ? 2 : 1;
  return cached<Row>(
      folder, key,
      [&](const NeighborLevels& read, const std::string& path) {
        require_fit(read, graphs, options.node_times, levels_per_round, options.rounds, path);
      },
      [&] { return build_neighbor_levels(graphs, options); });
}

}  // namespace twofold::levels
