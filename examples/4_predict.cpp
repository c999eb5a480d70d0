// What a trained model says about one graph: 4_predict MODEL. The file is one that twofold train wrote, of a
// network or a kernel.
#include <iostream>

#include "twofold/graph/generate.h"
#include "twofold/train/trained_model.h"

int main(int argc, char** argv) {
  using namespace twofold;
  if (argc != 2) {
    std::cerr << "usage: 4_predict MODEL\n";
    return 2;
  }
  try {
    const train::TrainedModel model = train::read_model(argv[1]);
    Dataset one;
    one.graphs = {graph::generate_triangle().graphs[199]};
    const model::Predictions said = train::predict(model, one, "the graph");
    if (said.class_of.empty())
      std::cout << "value " << said.values[0] << '\n';
    else
      std::cout << "class " << train::class_names(model)[said.class_of[0]] << ", score "
                << said.scores[said.class_of[0]] << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
