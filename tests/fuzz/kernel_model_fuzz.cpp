#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/svm/kernel_model.h"

// A kernel model that can be read is the same after writing and reading again, and predicts a graph.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twofold;
  static const Graph kGraph = [] {
    GraphBuilder builder(5);
    for (Node v = 0; v < 4; ++v) builder.add_edge(v, v + 1);
    builder.add_edge(0, 2);
    builder.set_node_labels({0, 1, 0, 1, 2});
    return std::move(builder).build();
  }();
  try {
    const auto model = svm::KernelModel::decode({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string once = model.encode();
    if (svm::KernelModel::decode(once, "again").encode() != once) std::abort();
    if (model.predict(kGraph).class_index >= model.class_names().size()) std::abort();
    model.explain(kGraph);
  } catch (const InputError&) {
  }
  return 0;
}
