#include "twofold/gram/gram_file.h"

#include <iterator>

#include "twofold/base/error.h"
#include "twofold/gram/array_text.h"

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

void write_gram(const GramMatrix& matrix, const Dataset& dataset, GramFormat format, bool normalize,
                AtomicFile& file) {
  TWOFOLD_CHECK(format != GramFormat::kLibsvm || dataset.graphs.size() == matrix.size);
  const TargetTexts targets(dataset);
  if (format == GramFormat::kNpy) file.write(npy_header(normalize ? "<f8" : "<i8", {matrix.size, matrix.size}));
  std::vector<double> row;
  std::string text;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    text.clear();
    if (format == GramFormat::kLibsvm) fmt::format_to(std::back_inserter(text), "{} 0:{}", targets[i], i + 1);
    if (normalize) {
      matrix.normalized_row(i, row);
      write_row(row.data(), matrix.size, format, text);
    } else {
      write_row(matrix.values.data() + i * matrix.size, matrix.size, format, text);
    }
    file.write(text);
  }
}

}  // namespace twofold::gram
