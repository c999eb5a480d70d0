#include "cli/learn/command_simulate.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/learn/trained_model.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/nn/parameter_layout.h"
#include "twofold/nn/simulate.h"
#include "twofold/train/simulated_network.h"

namespace twofold::cli {
namespace {

std::size_t num_values(const train::Network& network) {
  std::size_t values = 0;
  for (const nn::Parameter& p : nn::parameter_layout(network.options, network.layout.columns()).parameters)
    values += p.size();
  return values;
}

int widest(const train::Network& network) {
  int width = network.options.width;
  for (const nn::LayerForm& form : network.options.layer_forms) width = std::max(width, form.channels());
  return width;
}

}  // namespace

void declare_simulate(Options& flags, SimulateOptions& options) {
  flags.add("MODEL", options.model, "A gcn, gin or sage that twofold train wrote").required().type_name("");
  declare_output(flags, options.output, "Write the 2-wl-gnn here").required();
  declare_json(flags, options.json);
  flags.footer(R"(
The paper's Theorem 4.5 as a compiler: for each network that adds up neighbors there is a 2-wl-gnn of radius 1 that gives
the same answer on every graph. It is a model like any other: predict, embed and explain read it.

Example:
  twofold train TRIANGLE --model gin -o gin.model
  twofold simulate gin.model -o pairs.model
  twofold predict pairs.model TRIANGLE)");
}

int run_simulate(const SimulateOptions& options, std::ostream& out, std::ostream&) {
  require_output_apart(options.output, {options.model});
  AtomicFile file(options.output);
  const TrainedModel model = read_model(options.model);
  if (!model.network || !nn::can_simulate(model.network->options.model))
    throw InputError(fmt::format("{}: needed a network that adds up neighbors (gcn, gin or sage), found a {}",
                                 options.model,
                                 model.network ? nn::to_string(model.network->options.model) : "kernel model"));
  const train::Network& before = *model.network;
  const train::Network after = train::simulated_network(before);
  file.write(train::encode_network(after));
  file.commit();
  if (options.json) {
    const nlohmann::ordered_json result = {{"simulates", nn::to_string(before.options.model)},
                                           {"layers", after.options.layers},
                                           {"width", widest(after)},
                                           {"parameters", num_values(after)},
                                           {"of_layers", before.options.layers},
                                           {"of_width", before.options.width},
                                           {"of_parameters", num_values(before)}};
    out << result.dump() << '\n';
    return 0;
  }
  const auto print = [&](const char* name, const train::Network& network) {
    fmt::print(out, "{}: {} layer{}, at most {} channels, {} numbers\n", name, network.options.layers,
               network.options.layers == 1 ? "" : "s", widest(network), num_values(network));
  };
  print(nn::to_string(before.options.model), before);
  print("2-wl-gnn, radius 1", after);
  return 0;
}

}  // namespace twofold::cli
