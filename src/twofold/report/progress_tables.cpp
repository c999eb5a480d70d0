#include "twofold/report/progress_tables.h"

#include <cmath>

namespace twofold::report {

Table progress_table(const std::vector<GoingRun>& runs) {
  Table table("progress", {text_column("run", "run"), text_column("data", "data"),
                           text_column("model", "model"), number_column("finished", "done", 0),
                           number_column("running", "running", 0), number_column("failed", "failed", 0),
                           number_column("left", "left", 0), number_column("seconds", "seconds of work", -3),
                           number_column("seconds_left", "seconds left, about", -2)});
  for (const GoingRun& run : runs) {
    const eval::TaskCounts& tasks = run.status.tasks;
    table.add_row({text_cell(run.name), text_cell(run.dataset), text_cell(run.model),
                   number_cell(static_cast<double>(tasks.finished)),
                   number_cell(static_cast<double>(tasks.running)),
                   number_cell(static_cast<double>(tasks.failed)),
                   number_cell(static_cast<double>(tasks.left())), number_cell(run.status.seconds),
                   run.status.seconds_left ? number_cell(*run.status.seconds_left) : empty_cell()});
  }
  return table;
}

Table progress_folds_table(const std::vector<GoingRun>& runs) {
  Table table("progress-folds",
              {text_column("run", "run"), number_column("fold", "fold", 0),
               number_column("finished", "done", 0), number_column("tasks", "of", 0),
               number_column("validation", "best validation", -4), text_column("metric", "metric")});
  for (const GoingRun& run : runs)
    for (std::size_t f = 0; f < run.status.folds.size(); ++f)
      table.add_row({text_cell(run.name), number_cell(static_cast<double>(f + 1)),
                     number_cell(static_cast<double>(run.status.folds[f].finished)),
                     number_cell(static_cast<double>(run.status.folds[f].total)),
                     std::isnan(run.status.best_validation[f]) ? empty_cell()
                                                               : number_cell(run.status.best_validation[f]),
                     text_cell(run.metric)});
  return table;
}

}  // namespace twofold::report
