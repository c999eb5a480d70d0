#include "twofold/train/training.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"

namespace twofold::train {
namespace {

// What require_memory_for_largest says to 1 MiB, for graphs of 6 and 5050 rows.
std::string refusal(model::EngineKind kind, const std::vector<std::uint32_t>& graphs,
                    std::uint64_t max_memory = std::uint64_t{1} << 20) {
  const std::vector<Graph> all = {testing::star(2), testing::star(99)};
  const model::ModelOptions options = model::plain_options(model::ModelKind::k2WlGnn);
  const EncodedDataset data(all, options, input_layout(all, options));
  Objective task;
  model::EngineOptions engine_options;
  engine_options.kind = kind;
  const std::unique_ptr<Engine> engine = make_engine(data, options, task, engine_options);
  try {
    require_memory_for_largest(*engine, data, options, graphs, {}, max_memory);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Training, GraphThatFitsNoBatchIsRefusedBeforeTheFirstEpoch) {
  const std::string words = refusal(model::EngineKind::kFused, {0, 1});
  EXPECT_EQ(words.rfind("training on graph 2 with its 5050 rows (--radius 2) needs ", 0), 0u) << words;
  EXPECT_NE(words.find("the limit is 1.00 MiB (--max-memory)"), std::string::npos) << words;
}

TEST(Training, GraphThatIsNotTrainedOnOrFitsIsNotRefused) {
  EXPECT_EQ(refusal(model::EngineKind::kFused, {0}), "");
  EXPECT_EQ(refusal(model::EngineKind::kFused, {}), "");
  EXPECT_EQ(refusal(model::EngineKind::kFused, {0, 1}, std::uint64_t{100} << 20), "");
}

TEST(Training, GraphOfManyRowsAndFewColorsIsNotRefusedOnColors) {
  EXPECT_EQ(refusal(model::EngineKind::kColors, {0, 1}), "");
}

}  // namespace
}  // namespace twofold::train
