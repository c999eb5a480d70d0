#include "cli/evaluate_request.h"

#include <fmt/format.h>

#include "cli/dataset_input.h"
#include "cli/split_choice.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/evaluation.h"
#include "twofold/eval/group_splits.h"

namespace twofold::cli {

std::string splits_file(const EvaluateOptions& options) {
  const std::string& word = options.split;
  return word.empty() || word == "random" || word == "scaffold" || word == "column" ? options.splits : word;
}

namespace {

using model::Config;

void set_splits(const EvaluateOptions& options, const Dataset& dataset, eval::EvaluationRequest& request) {
  constexpr int kUsualFolds = 10;
  if (!request.splits_name.empty()) return;
  switch (split_kind(options.split, options.splits, dataset)) {
    case SplitKind::kRandom:
      return;
    case SplitKind::kFile:
      request.splits_name = splits_file(options);
      request.splits_text = read_file(request.splits_name);
      return;
    case SplitKind::kScaffold:
      request.drawn =
          eval::make_group_splits(scaffold_groups(dataset, options.threads),
                                  options.folds == 0 ? kUsualFolds : options.folds, options.split_seed);
      return;
    case SplitKind::kColumn:
      request.drawn = {eval::fold_of_parts(dataset.parts)};
      if (request.drawn[0].train.empty() || request.drawn[0].validation.empty() ||
          request.drawn[0].test.empty())
        throw InputError(fmt::format(
            "{}: needed graphs of train, validation and test in the column split, found none of one of them",
            options.dataset));
      return;
  }
}

// For the command that gives the evaluation again.
Config given_words(const EvaluateOptions& options) {
  Config given = {{"dataset", options.dataset}};
  if (const std::string file = splits_file(options); !file.empty()) given["splits"] = file;
  if (options.split == "scaffold" || options.split == "random" || options.split == "column")
    given["split"] = options.split;
  if (!options.config.path.empty()) given["config"] = options.config.path;
  const std::vector<std::string> molecules = molecule_words(options.molecules);
  if (!molecules.empty()) given["molecules"] = molecules;
  for (const auto& [name, text] : options.model_options) given["options"][name] = text;
  return given;
}

}  // namespace

eval::Plan plan_of(const EvaluateOptions& options, const Dataset& dataset, const model::TargetChoice& choice,
                   const model::Targets& targets, bool is_deterministic, const model::Libraries& libraries,
                   const eval::Splits& drawn) {
  eval::EvaluationRequest request;
  request.drawn = drawn;
  request.model = options.model;
  request.preset = options.preset;
  request.overrides = parse_given(model::find_model(options.model), options.model_options);
  if (!options.config.tables.empty()) {
    request.file_name = options.config.path;
    request.file_text = options.config.tables;
  }
  if (options.split.empty() && options.splits.empty() && drawn.empty())
    request.splits_name = split_of_folder(options.dataset, targets);
  if (!request.splits_name.empty()) request.splits_text = read_file(request.splits_name);
  set_splits(options, dataset, request);
  request.folds = options.folds;
  request.repeats = options.repeats;
  request.metric = options.metric;
  request.seed = options.seed;
  request.split_seed = options.split_seed;
  request.targets = choice;
  request.blind = options.blind;
  if (options.refit != "auto") request.refit = options.refit == "true";
  request.inner_folds = options.inner_folds;
  request.search = eval::parse_search(options.search);
  request.given = given_words(options);
  if (!request.splits_name.empty()) request.given["splits"] = request.splits_name;
  request.version = version_number();
  request.commit = build_commit();
  eval::Plan plan = eval::make_plan(request, dataset, targets, is_deterministic);
  plan.libraries = libraries;
  return plan;
}

}  // namespace twofold::cli
