#include "cli/command_simulate.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/train/simulate.h"
#include "twofold/train/simulated_network.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {
namespace {

std::size_t num_values(const train::Network& network) {
  std::size_t values = 0;
  for (const model::Parameter& p :
       model::parameter_layout(network.settings.model, network.layout.columns()).parameters)
    values += p.size();
  return values;
}

int widest(const train::Network& network) {
  int width = network.settings.model.width;
  for (const model::LayerForm& form : network.settings.model.layer_forms)
    width = std::max(width, form.channels());
  return width;
}

}  // namespace

int run_simulate(const SimulateOptions& options, std::ostream& out, std::ostream&) {
  require_output_apart(options.output, {options.model});
  AtomicFile file(options.output);
  const train::TrainedModel model = train::read_model(options.model);
  if (!model.network || !train::can_simulate(model.network->settings.model.model))
    throw InputError(
        fmt::format("{}: needed a network that adds up neighbors (gcn, gin or sage), found a {}", options.model,
                    model.network ? model::to_string(model.network->settings.model.model) : "kernel model"));
  const train::Network& before = *model.network;
  const train::Network after = train::simulated_network(before);
  file.write(train::encode_network(after));
  file.commit();
  if (options.json) {
    const nlohmann::ordered_json result = {{"simulates", model::to_string(before.settings.model.model)},
                                           {"layers", after.settings.model.layers},
                                           {"width", widest(after)},
                                           {"parameters", num_values(after)},
                                           {"of_layers", before.settings.model.layers},
                                           {"of_width", before.settings.model.width},
                                           {"of_parameters", num_values(before)}};
    out << result.dump() << '\n';
    return 0;
  }
  const auto print = [&](const char* name, const train::Network& network) {
    fmt::print(out, "{}: {} layer{}, at most {} channels, {} numbers\n", name, network.settings.model.layers,
               network.settings.model.layers == 1 ? "" : "s", widest(network), num_values(network));
  };
  print(model::to_string(before.settings.model.model), before);
  print("2-wl-gnn, radius 1", after);
  return 0;
}

}  // namespace twofold::cli
