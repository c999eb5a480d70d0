#include "twofold/gram/features_file.h"

#include <zlib.h>

#include <cmath>
#include <iterator>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/gram/array_text.h"

namespace twofold::gram {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are written as they lie in memory");

bool has_ending(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() && std::string_view(path).substr(path.size() - ending.size()) == ending;
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8) out.push_back(static_cast<char>(value & 0xff));
}

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A zip of files that are stored as they are, as NumPy's savez writes them. No times: equal counts, equal
// bytes.
class StoredZip {
 public:
  explicit StoredZip(AtomicFile& file) : file_(file) {}

  // The file's content in two parts, so that arrays need no copy.
  void add(const std::string& name, std::string_view head, std::string_view body) {
    const std::uint64_t size = head.size() + body.size();
    if (offset_ + size + 1024 > std::numeric_limits<std::uint32_t>::max())
      throw Error(fmt::format("a .npz file of {} and more: needed at most 4 GiB; a .svm file has no limit",
                              format_bytes(offset_ + size)));
    uLong checksum = crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(body.data()), body.size());
    std::string entry;
    put(entry, 20, 2);     // needs version 2.0
    put(entry, 0, 2 + 2);  // no flags, stored
    put(entry, 0, 2);      // time
    put(entry, 0x21, 2);   // date: the first that there is, 1980-01-01
    put(entry, checksum, 4);
    put(entry, size, 4);
    put(entry, size, 4);
    put(entry, name.size(), 2);
    put(entry, 0, 2);
    std::string local;
    put(local, 0x04034b50, 4);
    local += entry + name;
    put(directory_, 0x02014b50, 4);
    put(directory_, 20, 2);
    directory_ += entry;
    put(directory_, 0, 2 + 2 + 2 + 4);
    put(directory_, offset_, 4);
    directory_ += name;
    ++entries_;
    file_.write(local);
    file_.write(head);
    file_.write(body);
    offset_ += local.size() + size;
  }

  void finish() {
    std::string end;
    put(end, 0x06054b50, 4);
    put(end, 0, 2 + 2);
    put(end, entries_, 2);
    put(end, entries_, 2);
    put(end, directory_.size(), 4);
    put(end, offset_, 4);
    put(end, 0, 2);
    file_.write(directory_);
    file_.write(end);
  }

 private:
  AtomicFile& file_;
  std::string directory_;
  std::uint64_t offset_ = 0;
  std::uint64_t entries_ = 0;
};

std::vector<double> normalized_values(const SparseCounts& counts) {
  std::vector<double> values(counts.counts.begin(), counts.counts.end());
  for (std::size_t row = 0; row < counts.num_rows(); ++row) {
    double square = 0;
    for (std::uint64_t at = counts.starts[row]; at < counts.starts[row + 1]; ++at)
      square += values[at] * values[at];
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::uint64_t at = counts.starts[row]; at < counts.starts[row + 1]; ++at) values[at] *= scale;
  }
  return values;
}

// SciPy's save_npz: these five arrays. Its indices and row starts are of one type: 32 bits where they suffice.
template <typename Value>
void write_npz(const SparseCounts& counts, const std::vector<Value>& values, AtomicFile& file) {
  StoredZip zip(file);
  const std::string integer = "<i8";
  if (counts.columns.size() <= std::numeric_limits<std::int32_t>::max() &&
      counts.num_columns <= std::numeric_limits<std::int32_t>::max()) {
    const std::vector<std::int32_t> starts(counts.starts.begin(), counts.starts.end());
    zip.add("indices.npy", npy_header("<i4", {counts.columns.size()}), bytes_of(counts.columns));
    zip.add("indptr.npy", npy_header("<i4", {starts.size()}), bytes_of(starts));
  } else {
    const std::vector<std::int64_t> columns(counts.columns.begin(), counts.columns.end());
    zip.add("indices.npy", npy_header(integer, {columns.size()}), bytes_of(columns));
    zip.add("indptr.npy", npy_header(integer, {counts.starts.size()}), bytes_of(counts.starts));
  }
  zip.add("format.npy", npy_header("|S3", {}), "csr");
  const std::vector<std::uint64_t> shape = {counts.num_rows(), counts.num_columns};
  zip.add("shape.npy", npy_header(integer, {2}), bytes_of(shape));
  zip.add("data.npy",
          npy_header(sizeof(Value) == 8 && std::is_floating_point_v<Value> ? "<f8" : integer, {values.size()}),
          bytes_of(values));
  zip.finish();
}

template <typename Value>
void write_svm(const SparseCounts& counts, const std::vector<Value>& values, const Dataset& dataset,
               AtomicFile& file) {
  const TargetTexts targets(dataset);
  std::string text;
  for (std::size_t row = 0; row < counts.num_rows(); ++row) {
    text = targets[row];
    for (std::uint64_t at = counts.starts[row]; at < counts.starts[row + 1]; ++at)
      fmt::format_to(std::back_inserter(text), " {}:{}", std::uint64_t{counts.columns[at]} + 1, values[at]);
    text.push_back('\n');
    file.write(text);
  }
}

}  // namespace

FeaturesFormat features_format_of_path(const std::string& path) {
  if (has_ending(path, ".npz")) return FeaturesFormat::kNpz;
  if (has_ending(path, ".svm")) return FeaturesFormat::kSvm;
  throw UsageError(fmt::format("needed an output file .npz or .svm, found {}", in_quotes(path)));
}

void write_features(const SparseCounts& counts, const Dataset& dataset, FeaturesFormat format, bool normalize,
                    AtomicFile& file) {
  TWOFOLD_CHECK(format != FeaturesFormat::kSvm || dataset.class_of.empty() ||
                dataset.class_of.size() == counts.num_rows());
  const auto write = [&](const auto& values) {
    if (format == FeaturesFormat::kNpz)
      write_npz(counts, values, file);
    else
      write_svm(counts, values, dataset, file);
  };
  if (normalize)
    write(normalized_values(counts));
  else
    write(counts.counts);
}

}  // namespace twofold::gram
