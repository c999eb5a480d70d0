#include "twofold/graph/label_names.h"

#include <gtest/gtest.h>

#include "twofold/graph/dataset.h"
#include "twofold/graph/graph_builder.h"

namespace twofold {
namespace {

Dataset edge_of(const LabelNames& names) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1);
  builder.set_node_labels({0, 1});
  Dataset dataset;
  dataset.graphs.push_back(std::move(builder).build());
  dataset.node_label_names = names;
  return dataset;
}

TEST(LabelNames, LabelsAreNumberedByTheirNames) {
  Dataset dataset = edge_of({{0, "C"}, {1, "N"}});
  dataset.number_labels_as({{0, "Br"}, {1, "C"}, {2, "N"}}, {});
  EXPECT_EQ(dataset.graphs[0].node_labels()[0], 1);
  EXPECT_EQ(dataset.graphs[0].node_labels()[1], 2);
  EXPECT_EQ(dataset.node_label_names, (LabelNames{{1, "C"}, {2, "N"}}));
}

TEST(LabelNames, ANameThatIsNewGetsANumberThatIsFree) {
  Dataset dataset = edge_of({{0, "Se"}, {1, "C"}});
  dataset.number_labels_as({{0, "C"}}, {});
  EXPECT_EQ(label_text(dataset.node_label_names, dataset.graphs[0].node_labels()[0]), "Se");
  EXPECT_EQ(dataset.graphs[0].node_labels()[1], 0);
  EXPECT_NE(dataset.graphs[0].node_labels()[0], 0);
}

TEST(LabelNames, WithoutANameTheNumberIsShown) { EXPECT_EQ(label_text({{1, "C"}}, 7), "7"); }

}  // namespace
}  // namespace twofold
