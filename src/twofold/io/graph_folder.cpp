#include "twofold/io/graph_folder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/node_feature_rows.h"
#include "twofold/io/written_targets.h"

namespace twofold::io {
namespace {

constexpr std::size_t kMostFolderNodes = 100'000'000;

// The words of a line, which blanks, tabs or `separator` stand between.
std::vector<std::string_view> words_of(std::string_view line, char separator) {
  std::vector<std::string_view> words;
  const auto is_between = [&](char c) { return c == ' ' || c == '\t' || c == '\r' || c == separator; };
  std::size_t at = 0;
  while (at < line.size()) {
    while (at < line.size() && is_between(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_between(line[at])) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

// A text file, line by line; blank lines at its end do not count.
class LineFile {
 public:
  LineFile(const std::string& folder, const char* name) : source_(folder + "/" + name) {
    text_ = read_file(source_);
    std::string_view left = text_;
    while (!left.empty() && (left.back() == '\n' || left.back() == '\r' || left.back() == ' '))
      left.remove_suffix(1);
    while (!left.empty()) {
      const auto end = std::min(left.find('\n'), left.size());
      lines_.push_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  std::size_t size() const { return lines_.size(); }
  std::string_view line(std::size_t i) const { return lines_[i]; }
  const std::string& source() const { return source_; }
  [[noreturn]] void fail(std::size_t i, const std::string& needed, const std::string& found) const {
    throw_input_error(source_, i + 1, needed, found);
  }
  template <typename T>
  std::optional<T> number(std::string_view word) const {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

 private:
  std::string source_;
  std::string text_;
  std::vector<std::string_view> lines_;
};

struct FoundEdges {
  std::vector<Edge> edges;
  std::vector<std::size_t> lines;
  std::size_t num_nodes = 0;
};

FoundEdges read_edges(const LineFile& file) {
  FoundEdges found;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const std::vector<std::string_view> words = words_of(file.line(i), ',');
    if (words.size() != 2) file.fail(i, "two nodes", fmt::format("{} values", words.size()));
    Node ends[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const auto end = file.number<std::int64_t>(words[k]);
      if (!end || *end < 0 || *end >= static_cast<std::int64_t>(kMostFolderNodes))
        file.fail(i, fmt::format("a node in 0..{}", kMostFolderNodes - 1), in_quotes(std::string(words[k])));
      ends[k] = static_cast<Node>(*end);
      found.num_nodes = std::max(found.num_nodes, std::size_t{ends[k]} + 1);
    }
    found.edges.push_back({ends[0], ends[1]});
  }
  return found;
}

using FeatureRow = std::vector<NodeFeatureTable::Entry>;

FeatureRow sparse_row(const LineFile& file, std::size_t i) {
  FeatureRow row;
  for (const std::string_view word : words_of(file.line(i), ' ')) {
    const std::size_t colon = word.find(':');
    const auto column = file.number<std::int64_t>(word.substr(0, colon));
    if (!column)
      file.fail(i, "columns, or column:value, with blanks between them", in_quotes(std::string(word)));
    std::optional<float> value = 1.0f;
    if (colon != std::string_view::npos) value = file.number<float>(word.substr(colon + 1));
    if (!value || !std::isfinite(*value))
      file.fail(i, "a finite number behind the colon", in_quotes(std::string(word)));
    row.emplace_back(
        feature_column(static_cast<double>(*column),
                       [&](const std::string& needed, const std::string& is) { file.fail(i, needed, is); }),
        *value);
  }
  if (const std::string twice = column_twice(row); !twice.empty())
    file.fail(i, "each column of a node once", twice);
  return row;
}

std::vector<double> dense_row(const LineFile& file, std::size_t i, std::size_t columns) {
  std::vector<double> row;
  for (const std::string_view word : words_of(file.line(i), ',')) {
    const auto value = file.number<double>(word);
    if (!value || !std::isfinite(*value)) file.fail(i, "finite numbers", in_quotes(std::string(word)));
    row.push_back(*value);
  }
  if (i > 0 && row.size() != columns)
    file.fail(i, fmt::format("{} numbers, as on line 1", columns), std::to_string(row.size()));
  return row;
}

WrittenTarget written_target(const LineFile& file, std::size_t i) {
  const std::vector<std::string_view> words = words_of(file.line(i), ' ');
  if (words.size() != 1) file.fail(i, "one class, number or ?", fmt::format("{} values", words.size()));
  return parse_target(words[0]);
}

}  // namespace

bool is_graph_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path + "/edges.txt", ignored);
}

Dataset read_graph_folder(const std::string& path) {
  const auto has = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(path + "/" + name, ignored);
  };
  const LineFile edge_file(path, "edges.txt");
  const FoundEdges found = read_edges(edge_file);
  std::optional<LineFile> features, labels;
  if (has("features.txt")) features.emplace(path, "features.txt");
  if (has("labels.txt")) labels.emplace(path, "labels.txt");
  std::size_t n = found.num_nodes;
  if (features) n = features->size();
  if (labels) n = labels->size();
  if (features && labels && features->size() != labels->size())
    throw_input_error(features->source(), 0, fmt::format("{} lines, as in labels.txt, one per node", n),
                      std::to_string(features->size()));
  if (n == 0) throw_input_error(path, 0, "a graph of at least one node", "none");
  GraphBuilder builder(n);
  builder.reserve_edges(found.edges.size());
  for (std::size_t i = 0; i < found.edges.size(); ++i) {
    for (const Node end : {found.edges[i].u, found.edges[i].v})
      if (end >= n)
        edge_file.fail(i,
                       fmt::format("nodes in 0..{}, as many as {} has lines", n - 1,
                                   labels ? "labels.txt" : "features.txt"),
                       std::to_string(end));
    builder.add_edge(found.edges[i].u, found.edges[i].v);
  }
  const bool is_dense = features && std::any_of(features->line(0).begin(), features->line(0).end(),
                                                [](char c) { return c == ','; });
  if (is_dense) {
    std::vector<double> values;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double> row = dense_row(*features, i, columns);
      columns = row.size();
      values.insert(values.end(), row.begin(), row.end());
    }
    builder.set_node_attributes(columns, std::move(values));
  }
  Dataset dataset;
  dataset.name = file_name(std::filesystem::path(path + "/").parent_path().string());
  dataset.graphs.push_back(std::move(builder).build());
  if (features && !is_dense) {
    std::vector<std::vector<FeatureRow>> rows(1);
    for (std::size_t i = 0; i < n; ++i) rows[0].push_back(sparse_row(*features, i));
    give_features(std::move(rows), dataset.graphs);
  }
  if (!labels) return dataset;
  std::vector<WrittenTarget> targets;
  for (std::size_t i = 0; i < n; ++i) targets.push_back(written_target(*labels, i));
  dataset.node_targets.items = all_nodes(dataset.graphs);
  set_written(dataset.node_targets, std::move(targets));
  return dataset;
}

}  // namespace twofold::io
