#include "cli/reproduce_comparison.h"

#include <fmt/format.h>

#include <cmath>

namespace twofold::cli {

using paper::Comparison;
using paper::PublishedCell;
using paper::Standing;
using report::Cell;
using report::Tone;

const char* const kSigmaMeaning =
    "A difference in σ is (ours - paper's) / √(σ² + σ²), with the standard deviations over the folds of both.";

ComparedRun compare_run(const RunOutcome& run, const PublishedCell& published) {
  return {&run, published, paper::compare(run.test(), published)};
}

std::string published_text(const PublishedCell& cell) {
  if (cell.state == paper::CellState::kOutOfMemory) return "OOM";
  if (std::isnan(cell.test.mean)) return "-";
  return fmt::format("{:.1f} ± {:.1f}", cell.test.mean, cell.test.std);
}

std::string sigma_text(const Comparison& comparison) {
  if (comparison.standing != Standing::kCompared || std::isnan(comparison.sigmas)) return "";
  // No minus before a zero.
  return std::fabs(comparison.sigmas) < 0.05 ? "0.0 σ" : fmt::format("{:+.1f} σ", comparison.sigmas);
}

Cell our_cell(const ComparedRun& compared) {
  const auto figure = compared.run->test();
  if (!figure) return report::mark_cell(compared.run->missing);
  const Cell cell = report::mean_std_cell(figure->mean, figure->std);
  return compared.comparison.standing == Standing::kNewlyFilled ? cell.with(Tone::kNew) : cell;
}

Cell published_cell(const PublishedCell& published) {
  if (published.state == paper::CellState::kOutOfMemory) return report::mark_cell("OOM");
  if (std::isnan(published.test.mean)) return report::empty_cell();
  const Cell cell = report::mean_std_cell(published.test.mean, published.test.std);
  return published.is_copied ? cell.with(Tone::kFaint) : cell;
}

report::Table comparison_table(const std::string& name, const std::vector<ComparedRun>& runs) {
  report::Column sigmas = report::number_column("sigmas", "difference in σ", 1);
  sigmas.with_sign = true;
  report::Table table(
      name, {report::text_column("learner", "learner"), report::mean_std_column("train", "train, ours", 1),
             report::mean_std_column("paper_train", "train, paper", 1),
             report::mean_std_column("test", "test, ours", 1),
             report::mean_std_column("paper_test", "test, paper", 1), sigmas,
             report::text_column("standing", ""), report::number_column("folds", "folds", 0)});
  std::string dataset;
  for (const ComparedRun& compared : runs) {
    const RunOutcome& run = *compared.run;
    if (run.dataset.is_missing() && !run.record) continue;
    if (run.dataset.dataset().name != dataset) {
      dataset = run.dataset.dataset().name;
      table.start_group(dataset);
    }
    const auto train = run.train();
    const paper::Figure& theirs = compared.published.train;
    std::string standing;
    if (compared.comparison.standing == Standing::kNewlyFilled) standing = "newly filled";
    if (compared.published.is_copied) standing = "taken from Errica et al.";
    if (compared.published.state == paper::CellState::kNotInPaper) standing = "not in the paper";
    if (!compared.published.note.empty()) standing = compared.published.note;
    if (!run.record && !run.reason.empty()) standing = run.reason;
    table.add_row(
        {report::text_cell(run.plan.learner.name),
         train ? report::mean_std_cell(train->mean, train->std) : report::empty_cell(),
         std::isnan(theirs.mean) ? report::empty_cell() : report::mean_std_cell(theirs.mean, theirs.std),
         our_cell(compared), published_cell(compared.published),
         std::isnan(compared.comparison.sigmas) ? report::empty_cell()
                                                : report::number_cell(compared.comparison.sigmas),
         standing.empty() ? report::empty_cell() : report::text_cell(standing),
         run.record ? report::number_cell(static_cast<double>(run.record->folds.size()))
                    : report::empty_cell()});
  }
  return table;
}

std::string agreement_sentence(const std::vector<ComparedRun>& runs) {
  std::vector<Comparison> comparisons;
  for (const ComparedRun& run : runs) comparisons.push_back(run.comparison);
  const paper::Agreement found = paper::count_agreement(comparisons);
  if (found.compared + found.newly_filled == 0) return "Nothing has been run yet.";
  const auto share = [&](std::size_t count) {
    return count == found.compared ? std::string("all") : std::to_string(count);
  };
  std::string text = fmt::format("{} figure{} compared: {} within one σ of the paper's", found.compared,
                                 found.compared == 1 ? " is" : "s are", share(found.within_one));
  text += found.within_one == found.compared ? "." : fmt::format(", {} within two.", share(found.within_two));
  if (found.compared == 0) text.clear();
  if (found.newly_filled > 0)
    text += fmt::format("{}{} that the paper ran out of memory on {} new.", text.empty() ? "" : " ",
                        found.newly_filled, found.newly_filled == 1 ? "is" : "are");
  return text;
}

report::Plot comparison_plot(const std::vector<ComparedRun>& runs) {
  report::Plot plot;
  if (!runs.empty()) plot.name = "accuracy-" + runs[0].run->dataset.dataset().folder;
  plot.x.label = "test accuracy (%)";
  report::Series ours, theirs;
  ours.name = "ours";
  theirs.name = "paper";
  ours.style = theirs.style = report::Series::Style::kPoints;
  constexpr double kApart = 0.14;  // so that spreads do not hide each other
  for (const ComparedRun& compared : runs) {
    const auto place = static_cast<double>(plot.y.categories.size());
    // As the paper shortens it: the axis has room for so much.
    std::string name = compared.run->plan.learner.name;
    const auto weighted = name.find("weighted mean");
    if (weighted != std::string::npos) name.replace(weighted, 8, "w.");
    plot.y.categories.push_back(std::move(name));
    if (const auto figure = compared.run->test()) {
      ours.x.push_back(figure->mean);
      ours.y.push_back(place - kApart);
      ours.x_spread.push_back(figure->std);
    }
    const paper::Figure& published = compared.published.test;
    if (!std::isnan(published.mean)) {
      theirs.x.push_back(published.mean);
      theirs.y.push_back(place + kApart);
      theirs.x_spread.push_back(published.std);
    }
  }
  plot.series = {ours, theirs};
  plot.height = 60 + 26 * static_cast<double>(runs.size());
  return plot;
}

}  // namespace twofold::cli
