#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/csv_table.h"

// Whatever is read is a table: rows as wide as the header, no more bytes than the file has.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const io::CsvTable table = io::read_csv(text, "fuzz");
    if (table.header.empty() || table.lines.size() != table.rows.size()) std::abort();
    std::size_t bytes = 0;
    for (const auto& row : table.rows) {
      if (row.size() != table.header.size()) std::abort();
      for (const std::string& cell : row) bytes += cell.size();
    }
    if (bytes > size) std::abort();
  } catch (const InputError&) {
  }
  io::csv_header(text);
  return 0;
}
