#include "twofold/gram/array_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace twofold::gram {
namespace {

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && text.find_first_of(" \tnNxX") == std::string::npos;
}

}  // namespace

// Magic, version, length of the header, header padded with blanks to a multiple of 64.
std::string npy_header(const std::string& type, const std::vector<std::uint64_t>& shape) {
  std::string sizes;
  for (const std::uint64_t size : shape) sizes += fmt::format("{}{}", sizes.empty() ? "" : " ", size) + ",";
  if (shape.size() > 1) sizes.pop_back();  // only a tuple of one needs its comma
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  constexpr std::size_t kBefore = 10;
  text.append(63 - (kBefore + text.size()) % 64, ' ');
  text.push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(static_cast<char>(text.size() & 0xff));
  header.push_back(static_cast<char>(text.size() >> 8));
  return header + text;
}

TargetTexts::TargetTexts(const Dataset& dataset)
    : dataset_(dataset),
      numeric_classes_(std::all_of(dataset.class_names.begin(), dataset.class_names.end(), is_number)) {}

std::string TargetTexts::operator[](std::size_t graph) const {
  if (dataset_.has_classes()) {
    const std::uint32_t c = dataset_.class_of[graph];
    return numeric_classes_ ? dataset_.class_names[c] : fmt::format("{}", c);
  }
  if (dataset_.num_real_targets > 0)
    return fmt::format("{}", dataset_.real_targets[graph * dataset_.num_real_targets]);
  return "0";
}

}  // namespace twofold::gram
