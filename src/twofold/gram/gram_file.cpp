#include "twofold/gram/gram_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are written as they lie in memory");

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// Format 1.0 of NumPy: magic, version, length of the header, header padded with blanks to a multiple of 64.
std::string npy_header(std::size_t size, bool normalize) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                 normalize ? "<f8" : "<i8", size, size);
  constexpr std::size_t kBefore = 10;
  text.append(63 - (kBefore + text.size()) % 64, ' ');
  text.push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(static_cast<char>(text.size() & 0xff));
  header.push_back(static_cast<char>(text.size() >> 8));
  return header + text;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && text.find_first_of(" \tnNxX") == std::string::npos;
}

std::string target_text(const Dataset& dataset, std::size_t g, bool numeric_classes) {
  if (dataset.has_classes()) {
    const std::uint32_t c = dataset.class_of[g];
    return numeric_classes ? dataset.class_names[c] : fmt::format("{}", c);
  }
  if (dataset.num_real_targets > 0)
    return fmt::format("{}", dataset.real_targets[g * dataset.num_real_targets]);
  return "0";
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
  const bool numeric_classes = std::all_of(dataset.class_names.begin(), dataset.class_names.end(), is_number);
  if (format == GramFormat::kNpy) file.write(npy_header(matrix.size, normalize));
  std::vector<double> row;
  std::string text;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    text.clear();
    if (format == GramFormat::kLibsvm)
      fmt::format_to(std::back_inserter(text), "{} 0:{}", target_text(dataset, i, numeric_classes), i + 1);
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
