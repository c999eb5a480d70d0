#include "twofold/report/record_tables.h"

#include <algorithm>

#include "twofold/report/run_command.h"

namespace twofold::report {

Table configurations_table(const RunGroup& group) {
  Table table("configurations" + group.key,
              {text_column("run", "run"), code_column("chosen", "chosen"), number_column("folds", "folds", 0),
               number_column("validation", "validation", group.decimals()), code_column("common", "always")});
  for (const RunView* run : group.runs) {
    // The choices in the order in which folds made them.
    std::vector<std::string> texts;
    std::vector<std::size_t> counts;
    std::vector<double> sums;
    for (const record::RunFold& fold : run->record.folds) {
      const std::string text = describe_options(*run, fold.config, false);
      const auto at = static_cast<std::size_t>(std::find(texts.begin(), texts.end(), text) - texts.begin());
      if (at == texts.size()) {
        texts.push_back(text);
        counts.push_back(0);
        sums.push_back(0);
      }
      ++counts[at];
      sums[at] += fold.validation;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool is_open = run->num_configs != 1 || !texts[i].empty();
      table.add_row(
          {text_cell(run->name),
           texts[i].empty() ? mark_cell(is_open ? "not recorded" : "no choice") : text_cell(texts[i]),
           number_cell(static_cast<double>(counts[i])), number_cell(sums[i] / static_cast<double>(counts[i])),
           i == 0 ? text_cell(describe_options(*run, run->record.folds[0].config, true)) : empty_cell()});
    }
  }
  return table;
}

Table times_table(const std::vector<RunGroup>& groups) {
  Table table(
      "times",
      {text_column("run", "run"), number_column("tasks", "tasks", 0),
       number_column("seconds", "seconds in all", -3), number_column("median_seconds", "per task (median)", -3),
       number_column("peak_memory_mb", "peak memory MB", 0), number_column("threads", "threads", 0)});
  for (const RunGroup& group : groups)
    for (const RunView* run : group.runs) {
      if (!run->times) {
        table.add_row({text_cell(run->name), empty_cell(), mark_cell("not recorded"), empty_cell(),
                       empty_cell(), empty_cell()});
        continue;
      }
      const RunTimes& times = *run->times;
      table.add_row({text_cell(run->name), number_cell(static_cast<double>(times.num_tasks)),
                     number_cell(times.seconds), number_cell(times.median_seconds),
                     times.peak_bytes > 0 ? number_cell(times.peak_bytes / 1e6) : empty_cell(),
                     times.threads > 0 ? number_cell(times.threads) : mark_cell("mixed")});
    }
  return table;
}

Table records_table(const std::vector<RunView>& runs) {
  Table table("records", {text_column("run", "run"), text_column("twofold", "twofold"),
                          code_column("commit", "commit"), text_column("seed", "seed"),
                          code_column("data", "data checksum"), code_column("splits", "splits checksum")});
  for (const RunView& run : runs) {
    const auto told = [&](const char* key) {
      const record::Json& json = run.record.run;
      if (!json.is_object() || !json.contains(key)) return std::string("not recorded");
      return json.at(key).is_string() ? json.at(key).get<std::string>() : json.at(key).dump();
    };
    const auto short_sum = [](const std::string& sum) {
      return sum.empty() ? std::string("not recorded") : sum.substr(0, 12);
    };
    table.add_row({text_cell(run.name), text_cell(told("twofold")), text_cell(told("commit")),
                   text_cell(told("seed")), text_cell(short_sum(run.record.dataset_checksum)),
                   text_cell(short_sum(run.record.splits_checksum))});
  }
  return table;
}

}  // namespace twofold::report
