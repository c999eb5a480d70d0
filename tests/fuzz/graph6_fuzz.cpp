#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/io/graph6.h"

// Whatever is read is a sound graph and survives writing and reading again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Graph& g : io::read_graph6(text, "fuzz", {1u << 20})) {
      g.check();
      if (g.is_directed()) {
        if (io::read_graph6(io::to_digraph6(g), "again").at(0) != g) std::abort();
        continue;
      }
      if (io::read_graph6(io::to_sparse6(g), "again").at(0) != g) std::abort();
      if (g.num_nodes() < 500 && g.num_self_loops() == 0 &&
          io::read_graph6(io::to_graph6(g), "again").at(0) != g)
        std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
