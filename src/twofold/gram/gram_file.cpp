#include "twofold/gram/gram_file.h"

#include <iterator>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are written as they lie in memory");

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

template <typename Value>
void write_row(const Value* row, std::size_t size, GramFormat format, std::string& text) {
  const auto out = std::back_inserter(text);
  if (format == GramFormat::kNpy) text.append(reinterpret_cast<const char*>(row), size * sizeof(Value));
  for (std::size_t j = 0; format == GramFormat::kCsv && j < size; ++j)
    fmt::format_to(out, "{}{}", j == 0 ? "" : ",", row[j]);
  for (std::size_t j = 0; format == GramFormat::kLibsvm && j < size; ++j)
    fmt::format_to(out, " {}:{}", j + 1, row[j]);
  if (format != GramFormat::kNpy) text.push_back('\n');
}

}  // namespace

GramFormat gram_format_of_path(const std::string& path) {
  if (ends_with(path, ".npy")) return GramFormat::kNpy;
  if (ends_with(path, ".csv")) return GramFormat::kCsv;
  if (ends_with(path, ".libsvm")) return GramFormat::kLibsvm;
  throw UsageError(fmt::format("needed an output file .npy, .csv or .libsvm, found {}", in_quotes(path)));
}

GramWriter::GramWriter(std::size_t size, const Dataset& dataset, GramFormat format, bool normalize,
                       AtomicFile& file)
    : size_(size), format_(format), normalize_(normalize), file_(file), targets_(dataset) {
  TWOFOLD_CHECK(format != GramFormat::kLibsvm || dataset.graphs.size() == size);
  if (format == GramFormat::kNpy) file_.write(npy_header(normalize ? "<f8" : "<i8", {size, size}));
}

void GramWriter::add(const GramMatrix& rows) {
  TWOFOLD_CHECK(rows.size == size_ && rows.begin == next_, "rows {} of {}, expected {} of {}", rows.begin,
                rows.size, next_, size_);
  std::vector<double> row;
  std::string text;
  for (; next_ < rows.end(); ++next_) {
    text.clear();
    if (format_ == GramFormat::kLibsvm)
      fmt::format_to(std::back_inserter(text), "{} 0:{}", targets_[next_], next_ + 1);
    if (normalize_) {
      rows.normalized_row(next_, row);
      write_row(row.data(), size_, format_, text);
    } else {
      write_row(rows.row(next_), size_, format_, text);
    }
    file_.write(text);
  }
}

}  // namespace twofold::gram
