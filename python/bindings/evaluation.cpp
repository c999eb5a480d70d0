// The fair protocol, with the run folders of the program.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/call.h"
#include "bindings/json.h"
#include "bindings/options.h"
#include "bindings/parts.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/evaluation.h"
#include "twofold/eval/status.h"
#include "twofold/train/learners.h"

namespace twofold::python {
namespace {

const char* word_of(eval::WorkEvent::Kind kind) {
  switch (kind) {
    case eval::WorkEvent::Kind::kStarted:
      return "started";
    case eval::WorkEvent::Kind::kProgress:
      return "progress";
    case eval::WorkEvent::Kind::kFinished:
      return "finished";
    case eval::WorkEvent::Kind::kFailed:
      return "failed";
  }
  return "";
}

// One value or a list of several for each option, and the text that says so on a command line.
eval::Overrides overrides_of(const model::Model& model, const py::dict& options, model::Config& given) {
  for (const auto& [key, value] : options) {
    std::string name = key.cast<std::string>();
    std::replace(name.begin(), name.end(), '_', '-');
    if (model.find(name) == nullptr)
      throw py::type_error(fmt::format("{} is no option of {}, which has {}", key.cast<std::string>(),
                                       model.name, python_name(model.option_names())));
  }
  eval::Overrides overrides;
  // In the order of the table, as the program has them.
  for (const model::ModelOption& option : model.options) {
    std::vector<std::string> names = option.aliases;
    names.insert(names.begin(), option.name);
    for (const std::string& name : names) {
      const py::str keyword(python_name(name));
      if (!options.contains(keyword)) continue;
      const py::object value = options[keyword];
      std::vector<model::Config> values;
      if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
        for (const py::handle one : value) values.push_back(checked_value(option, one));
      } else {
        values.push_back(checked_value(option, value));
      }
      if (values.empty())
        throw py::value_error(fmt::format("{}: needed a value or several, found none", python_name(name)));
      std::string text;
      for (const model::Config& one : values)
        text += (text.empty() ? "" : ",") + (one.is_string() ? one.get<std::string>() : one.dump());
      given["options"][option.name] = text;
      overrides.emplace_back(option.name, std::move(values));
    }
  }
  return overrides;
}

py::object evaluate(const Data& data, const std::string& model_name, const std::string& output,
                    const py::dict& options, const py::dict& how, const py::object& progress) {
  const model::Model& model = model::find_model(model_name);
  eval::EvaluationRequest request;
  request.model = model.name;
  request.preset = how["preset"].cast<std::string>();
  request.given = {{"dataset", how["dataset"].cast<std::string>()}};
  request.splits_name = how["splits"].cast<std::string>();
  if (!request.splits_name.empty()) {
    request.given["splits"] = request.splits_name;
    request.splits_text = read_file(request.splits_name);
  }
  request.overrides = overrides_of(model, options, request.given);
  request.folds = how["folds"].cast<int>();
  request.repeats = how["repeats"].cast<int>();
  if (request.folds < 0 || request.folds > 100000)
    throw py::value_error(fmt::format("folds: needed an integer in 1..100000, found {}", request.folds));
  if (request.repeats < 1 || request.repeats > 1000)
    throw py::value_error(fmt::format("repeats: needed an integer in 1..1000, found {}", request.repeats));
  request.inner_folds = how["inner_folds"].cast<int>();
  if (request.inner_folds < 1 || request.inner_folds > eval::kMostInnerFolds)
    throw py::value_error(fmt::format("inner_folds: needed an integer in 1..{}, found {}",
                                      eval::kMostInnerFolds, request.inner_folds));
  request.search = eval::parse_search(how["search"].cast<std::string>());
  request.metric = how["metric"].cast<std::string>();
  request.seed = how["seed"].cast<std::uint64_t>();
  request.split_seed = how["split_seed"].cast<std::uint64_t>();
  request.targets.targets = how["target"].cast<std::vector<std::string>>();
  request.targets.task = how["task"].cast<std::string>();
  request.blind = how["blind"].cast<bool>();
  if (!how["refit"].is_none()) request.refit = how["refit"].cast<bool>();
  request.version = cli::version_number();
  request.commit = cli::build_commit();
  eval::EvaluationWork work;
  work.threads = how["threads"].cast<int>();
  work.max_memory = how["max_memory"].cast<std::uint64_t>();
  if (!progress.is_none())
    work.on_event = [&](const eval::WorkEvent& event) {
      const py::gil_scoped_acquire acquire;
      py::dict said;
      said["event"] = word_of(event.kind);
      said["task"] = event.task;
      said["score"] = event.score;
      said["done"] = event.done;
      said["total"] = event.total;
      if (!event.reason.empty()) said["reason"] = event.reason;
      call_python(progress, said);
    };
  const std::vector<model::LearnerFactory> learners = train::all_learners();
  const auto learner =
      std::find_if(learners.begin(), learners.end(), [&](const auto& one) { return one.model == model.name; });
  if (learner == learners.end())
    throw py::value_error(fmt::format("this build cannot learn with {}", model.name));
  const model::Config result =
      without_gil([&] { return eval::evaluate(request, *data, *learner, output, work); });
  return to_python(result);
}

// Everything that a run folder says, checked as the program checks it.
py::dict read_run(const std::string& path) {
  eval::RunFolder folder(path);
  py::dict said;
  const eval::Plan plan = without_gil([&] {
    if (!folder.has("run.json")) read_file(folder.file("run.json"));  // throws what is missing
    return eval::read_plan(folder, cli::version_number());
  });
  said["run"] = to_python(folder.read("run.json"));
  py::list folds;
  for (const eval::Fold& fold : plan.splits) {
    py::dict one;
    one["train"] = fold.train;
    one["validation"] = fold.validation;
    one["test"] = fold.test;
    folds.append(one);
  }
  said["splits"] = folds;
  said["result"] = folder.has("result.json") ? to_python(folder.read("result.json")) : py::none();
  py::list tasks;
  for (const eval::TaskId& task : eval::list_tasks(plan)) {
    const std::string file = "tasks/" + eval::task_name(task) + ".json";
    if (folder.has(file)) tasks.append(to_python(folder.read(file)));
  }
  said["tasks"] = tasks;
  said["predictions"] = folder.has("predictions.csv")
                            ? py::object(py::str(read_file(folder.file("predictions.csv"))))
                            : py::object(py::none());
  return said;
}

}  // namespace

void add_evaluation(py::module_& module) {
  module.def("evaluate", evaluate);
  module.def("read_run", read_run);
}

}  // namespace twofold::python
