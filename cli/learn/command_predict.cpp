#include "cli/learn/command_predict.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/learn/trained_model.h"
#include "cli/options.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

// What a model says about one graph.
struct Answer {
  std::string name;            // of the class; empty for a real value
  std::vector<double> scores;  // a class; or the value alone
};

std::vector<Answer> network_answers(const train::Network& network, const Dataset& dataset,
                                    const PredictOptions& options) {
  NetworkOnData run(network, dataset, options.dataset, options.threads, options.max_memory);
  const std::vector<float> outputs = run.outputs();
  const std::size_t width = network.task.outputs;
  std::vector<Answer> answers;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const Span<const float> row(outputs.data() + g * width, width);
    Answer answer;
    answer.scores = train::predicted_scores(network.task, row);
    if (network.task.kind != nn::Task::kRegression)
      answer.name = network.class_names[train::predicted_class(network.task, row)];
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<Answer> kernel_answers(const svm::KernelModel& model, const Dataset& dataset) {
  std::vector<Answer> answers;
  for (const Graph& g : dataset.graphs) {
    const svm::Prediction prediction = model.predict(g);
    answers.push_back({model.class_names()[prediction.class_index], prediction.decisions});
  }
  return answers;
}

}  // namespace

void declare_predict(Options& flags, PredictOptions& options) {
  flags.add("MODEL", options.model, "A file that twofold train wrote").required().type_name("");
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
A line a graph: its number from 1, its class, and a score a class (networks: probabilities; kernels: a decision for
each two classes, positive for the first). Real targets: number and value. Targets in the dataset are not looked at.

Examples:
  twofold predict triangle.model TRIANGLE
  cat new.jsonl | twofold predict mine.model - --json)");
}

int run_predict(const PredictOptions& options, std::ostream& out, std::ostream&) {
  const TrainedModel model = read_model(options.model);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const std::vector<Answer> answers = model.network ? network_answers(*model.network, dataset, options)
                                                    : kernel_answers(*model.kernel, dataset);
  if (options.json) {
    ordered_json predictions = ordered_json::array();
    for (std::size_t g = 0; g < answers.size(); ++g) {
      ordered_json one = {{"graph", g + 1}};
      if (answers[g].name.empty() && model.network) {
        one["value"] = answers[g].scores[0];
      } else {
        one["class"] = answers[g].name;
        one["scores"] = answers[g].scores;
      }
      predictions.push_back(std::move(one));
    }
    out << ordered_json({{"predictions", predictions}})
               .dump(-1, ' ', false, ordered_json::error_handler_t::replace)
        << '\n';
    return 0;
  }
  for (std::size_t g = 0; g < answers.size(); ++g) {
    fmt::print(out, "{}", g + 1);
    if (!answers[g].name.empty()) fmt::print(out, " {}", answers[g].name);
    for (const double score : answers[g].scores) fmt::print(out, " {:.6g}", score);
    fmt::print(out, "\n");
  }
  return 0;
}

}  // namespace twofold::cli
