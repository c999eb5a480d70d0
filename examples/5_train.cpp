// Trains a 2-WL-GNN on part of TRIANGLE, tells how it gets on, and keeps it as a file for twofold predict.
#include <iostream>

#include "twofold/base/file.h"
#include "twofold/eval/splits.h"
#include "twofold/graph/generate.h"
#include "twofold/model/model_table.h"
#include "twofold/train/training.h"

int main() {
  using namespace twofold;
  const Dataset dataset = graph::generate_triangle();
  const model::Targets targets(dataset);
  const eval::Fold parts = eval::hold_out(targets, 0.1, 1);  // a tenth to stop early by

  // Every option at its default but two; docs/commands/options.md has them all.
  const model::Model& kind = model::find_model("2-wl-gnn");
  model::Config config = model::fallback_config(kind);
  config["layers"] = 2;
  config["epochs"] = 50;

  const train::Network network = train::train_network(
      model::settings_of(kind, config), dataset, targets, parts.train, parts.validation, 1,
      [](const train::EpochRecord& epoch) {
        if (epoch.epoch % 10 == 0)
          std::cout << "epoch " << epoch.epoch << ": validation accuracy " << epoch.validation_metric << '\n';
        return true;  // false would stop it here
      });
  AtomicFile file("triangle.model");
  file.write(train::encode_network(network));
  file.commit();
  std::cout << "triangle.model: " << network.parameters.size() << " numbers\n";
}
