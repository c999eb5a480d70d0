#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/tu.h"

// The input is the dataset's files one after the other, each behind a line "@SUFFIX": see seeds/tu.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::map<std::string, std::string> files;
  while (!text.empty() && text[0] == '@') {
    const auto line_end = std::min(text.find('\n'), text.size());
    const std::string suffix(text.substr(1, line_end - 1));
    text.remove_prefix(std::min(line_end + 1, text.size()));
    const auto next = std::min(text.find("\n@"), text.size());
    files["fuzz" + suffix + ".txt"] = std::string(text.substr(0, next));
    text.remove_prefix(std::min(next + 1, text.size()));
  }
  try {
    io::read_tu_files("fuzz", files, 1).check();
  } catch (const InputError&) {
  }
  return 0;
}
