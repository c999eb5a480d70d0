#include "twofold/train/simulated_network.h"

#include <nlohmann/json.hpp>

#include "twofold/train/simulate.h"

namespace twofold::train {

Network simulated_network(const Network& network) {
  // Each member of an ensemble has one of its own.
  const auto simulate_member = [&](std::size_t m) {
    const std::vector<double> parameters(network.member(m).begin(), network.member(m).end());
    return simulate(network.settings.model, network.layout.columns(), network.layout.features.columns() == 0,
                    parameters);
  };
  const Simulation simulation = simulate_member(0);
  Network result = network;
  result.settings.model = simulation.options;
  result.layout.features.indicators = true;
  result.layout.weights = simulation.weights;
  result.parameters.assign(simulation.parameters.begin(), simulation.parameters.end());
  for (std::size_t m = 1; m < network.num_members(); ++m) {
    const Simulation other = simulate_member(m);
    result.others[m - 1].assign(other.parameters.begin(), other.parameters.end());
  }
  nlohmann::ordered_json training = {{"simulates", model::to_string(network.settings.model.model)},
                                     {"training", nlohmann::ordered_json::parse(network.training)}};
  result.training = training.dump();
  return result;
}

}  // namespace twofold::train
