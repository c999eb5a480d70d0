#include "twofold/eval/plan.h"

#include <gtest/gtest.h>

#include "twofold/graph/generate_triangle.h"
#include "twofold/model/model_table.h"
#include "twofold/record/record_file.h"

namespace twofold::eval {
namespace {

Plan gin_plan() {
  const model::Targets targets(graph::generate_triangle());
  Plan plan;
  plan.dataset = "TRIANGLE";
  plan.num_graphs = targets.num_items();
  plan.model = "gin";
  plan.metric = model::default_metric(targets.task());
  plan.grid = {model::fallback_config(model::find_model("gin"))};
  plan.splits = make_splits(targets, 3, 1);
  return plan;
}

TEST(Plan, OfBeforeAnOptionIsReadAsWhatWasThenAndContinued) {
  Plan now = gin_plan();
  now.grid[0]["stop-below"] = 0.0;
  Plan old = now;
  for (const char* name : {"optimizer", "warmup", "schedule", "lr-end", "plateau-patience", "plateau-factor",
                           "average", "stop-below"})
    ASSERT_EQ(old.grid[0].erase(name), 1u) << name;
  const Plan there =
      parse_plan(record::encode_record(to_json(old)), format_splits(old.splits), "run.json", "1.2.3");
  EXPECT_EQ(there.grid, now.grid);
  EXPECT_EQ(describe_difference(there, now), "");
  now.grid[0]["schedule"] = "cosine";
  EXPECT_NE(describe_difference(there, now), "");
}

}  // namespace
}  // namespace twofold::eval
