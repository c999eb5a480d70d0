#include "twofold/train/simulated_network.h"

#include <nlohmann/json.hpp>

#include "twofold/train/simulate.h"

namespace twofold::train {

Network simulated_network(const Network& network) {
  const std::vector<double> parameters(network.parameters.begin(), network.parameters.end());
  const Simulation simulation = simulate(network.settings.model, network.layout.columns(),
                                         network.layout.features.columns() == 0, parameters);
  Network result = network;
  result.settings.model = simulation.options;
  result.layout.features.indicators = true;
  result.layout.weights = simulation.weights;
  result.parameters.assign(simulation.parameters.begin(), simulation.parameters.end());
  nlohmann::ordered_json training = {{"simulates", model::to_string(network.settings.model.model)},
                                     {"training", nlohmann::ordered_json::parse(network.training)}};
  result.training = training.dump();
  return result;
}

}  // namespace twofold::train
