#pragma once

#include <ostream>
#include <string>

#include "twofold/eval/plan.h"

namespace twofold::cli {

/// The answer for people: one row per fold (counted from 1), the mean, and what the data allows. `result` is
/// that of eval::summarize.
void print_evaluation(const eval::Plan& plan, const model::Config& result, std::ostream& out);

/// What is evaluated, how, and in how many tasks: without the grid.
void print_plan_heading(const eval::Plan& plan, std::ostream& out);
/// What an evaluation would do: its grid and its tasks.
void print_plan(const eval::Plan& plan, std::ostream& out);

/// `iterations=3 penalty=0.01`: the options in which the grid's configurations differ.
std::string describe_config(const eval::Grid& grid, const model::Config& config);

/// `72.9 ± 3.1` in percent, or four significant digits for other metrics.
std::string format_mean_std(const std::string& metric, double mean, double std);
std::string format_score(const std::string& metric, double score);

}  // namespace twofold::cli
