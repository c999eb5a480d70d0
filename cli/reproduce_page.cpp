#include "cli/reproduce_page.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/table.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using report::Column;

// As a shell takes it for one word.
std::string in_shell(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string("/._-+=:,@").find(c) != std::string::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string number_text(const Column& column, double value, bool with_sign) {
  if (std::isnan(value)) return "-";
  if (column.decimals < 0) return fmt::format("{:.{}g}", value, -column.decimals);
  // No sign before what is written as zero.
  if (std::fabs(value) < 0.5 * std::pow(10, -column.decimals)) value = 0, with_sign = false;
  return with_sign ? fmt::format("{:+.{}f}", value, column.decimals)
                   : fmt::format("{:.{}f}", value, column.decimals);
}

double number_of(const ordered_json& json) { return json.is_number() ? json.get<double>() : std::nan(""); }

// `key` of an object that may not be there.
std::string text_at(const ordered_json& row, const char* part, const std::string& key) {
  return row.contains(part) && row.at(part).contains(key) ? row.at(part).at(key).get<std::string>() : "";
}

std::string cell_text(const Column& column, const ordered_json& row) {
  const bool sign = column.with_sign;
  std::string text = text_at(row, "marks", column.key);
  if (text.empty() && row.at("cells").contains(column.key)) {
    const ordered_json& cell = row.at("cells").at(column.key);
    if (cell.is_string()) text = cell.get<std::string>();
    if (cell.is_number()) text = number_text(column, cell.get<double>(), sign);
    if (cell.is_object())
      text = number_text(column, number_of(cell.at("mean")), sign) + " ± " +
             number_text(column, number_of(cell.at("std")), false);
  }
  // As `compare` marks them; what is new is said in words.
  const std::string tone = text_at(row, "tones", column.key);
  if (tone == "better") text += " >";
  if (tone == "worse") text += " <";
  if (tone == "new") text += " (new)";
  const std::string note = text_at(row, "notes", column.key);
  if (!note.empty()) text += fmt::format(" ({})", note);
  return text;
}

}  // namespace

void declare_reproduce_page(Options& flags, ReproduceOptions& options) {
  declare_output(flags, options.output,
                 "A folder for the page, its tables and the runs behind it; made if need be")
      .required()
      .type_name("DIR");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
}

void declare_reproduce_data(Options& flags, ReproduceOptions& options) {
  flags.add("--data", options.data, "The folder in which the datasets lie, each a TU folder or its zip")
      .type_name("DIR");
}

void declare_reproduce_runs(Options& flags, ReproduceOptions& options) {
  flags.add_flag("--quick", options.quick,
                 "A first answer in minutes: few folds and epochs, one configuration");
  flags
      .add("--only", options.only,
           "Run only these: LEARNER, DATASET or LEARNER/DATASET; the page still shows the rest")
      .comma_separated()
      .type_name("WHAT,…");
  flags.add_flag(
      "--plan", options.plan,
      "Tell how long each evaluation takes at most, from one measured epoch of each of its configurations, and "
      "stop; nothing is written");
  flags
      .add("--search", options.search,
           "How full evaluations find each fold's configuration: grid, or until-perfect, which has the same "
           "winners and leaves out what cannot win (evaluate --help)")
      .one_of({"grid", "until-perfect"})
      .show_default()
      .type_name("WORD");
  flags.add("--jobs", options.jobs, "Processes that share the trainings, one thread each")
      .range(1, 4096)
      .show_default()
      .type_name("N");
  declare_seed(flags, options.seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
}

FoundDataset find_dataset(const std::string& data, std::size_t number) {
  FoundDataset found;
  found.number = number;
  const std::string& name = found.dataset().folder;
  if (!data.empty()) {
    if (!fs::is_directory(data))
      throw UsageError(fmt::format("--data: needed a folder of datasets, found {}", in_quotes(data)));
    const fs::path folder = fs::path(data) / name;
    if (fs::is_directory(folder))
      found.path = folder.string();
    else if (fs::is_regular_file(folder.string() + ".zip"))
      found.path = folder.string() + ".zip";
    for (const fs::path& splits : {folder / (name + "_splits.json"), fs::path(data) / (name + "_splits.json")})
      if (!found.path.empty() && found.splits.empty() && fs::is_regular_file(splits))
        found.splits = splits.string();
  }
  if (found.path.empty() && number == paper::kTriangle) {
    found.path = "TRIANGLE";
    found.is_built_in = true;
  }
  return found;
}

void warn_of_missing(report::Page& page, const std::vector<FoundDataset>& datasets, const std::string& data) {
  std::vector<std::string> names, commands;
  for (const FoundDataset& found : datasets) {
    if (!found.is_missing()) continue;
    names.push_back(found.dataset().name);
    commands.push_back(fmt::format("twofold data fetch {} -o {}", found.dataset().folder,
                                   data.empty() ? "data" : in_shell(data)));
  }
  if (names.empty()) return;
  page.warning(report::Text(fmt::format("No data for {}: ", fmt::join(names, ", ")))
                   .code("--data")
                   .plain(" names a folder in which they lie. These commands fetch them:"));
  page.commands(commands);
}

void require_output(const ReproduceOptions& options) {
  if (!options.data.empty() && is_same_file(options.output, options.data))
    throw UsageError(fmt::format("the output {} is the folder of the datasets: name another", options.output));
  std::error_code error;
  fs::create_directories(options.output, error);
  if (error || !fs::is_directory(options.output))
    throw Error(fmt::format("cannot write {}: needed a folder, or to make one{}", options.output,
                            error ? ": " + error.message() : ""));
  // Opened beside and left out again: an unwritable folder is found now.
  AtomicFile tried((fs::path(options.output) / "page.html").string());
}

std::string reproduce_command(const std::string& name, const ReproduceOptions& options) {
  std::string command = "twofold reproduce " + name;
  if (options.quick) command += " --quick";
  if (!options.data.empty()) command += " --data " + in_shell(options.data);
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  return command + " -o " + in_shell(options.output);
}

report::Page start_page(const std::string& title, const std::string& name, const ReproduceOptions& options) {
  report::Page page(title, reproduce_command(name, options));
  page.made_by("twofold " + version_number());
  return page;
}

void finish_page(const report::Page& page, const std::string& name, const ReproduceOptions& options,
                 const std::vector<std::string>& shown, const std::vector<FoundDataset>& datasets,
                 std::ostream& out) {
  const std::string path = (fs::path(options.output) / (name + ".html")).string();
  report::write_page(page, path);
  if (options.json) {
    ordered_json result = {{"page", path}, {"tables", ordered_json::object()}};
    for (const report::Table& table : page.tables())
      result["tables"][table.name()] = ordered_json::parse(table.json());
    out << result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    return;
  }
  std::vector<const report::Table*> printed;
  for (const report::Table& table : page.tables())
    if (shown.empty() || std::find(shown.begin(), shown.end(), table.name()) != shown.end())
      printed.push_back(&table);
  for (const report::Table* table : printed) {
    // Of several, each says which it is.
    if (printed.size() > 1) fmt::print(out, "{}:\n", table->name());
    print_table(*table, out);
    out << '\n';
  }
  fmt::print(out, "page: {}\n", path);
  std::vector<std::string> missing;
  for (const FoundDataset& found : datasets)
    if (found.is_missing()) missing.push_back(found.dataset().folder);
  if (!missing.empty())
    fmt::print(out, "missing: {} (twofold data fetch NAME -o {}; then --data)\n", fmt::join(missing, ", "),
               options.data.empty() ? "data" : in_shell(options.data));
}

void print_table(const report::Table& table, std::ostream& out) {
  std::vector<std::string> headers;
  for (const Column& column : table.columns())
    headers.push_back((column.kind == Column::Kind::kText ? "<" : "") + column.title);
  const ordered_json json = ordered_json::parse(table.json());
  Table lines(headers);
  std::string group;
  for (const ordered_json& row : json.at("rows")) {
    const std::string heading = row.value("group", "");
    if (heading != group) {
      std::vector<std::string> line(headers.size());
      line[0] = group = heading;
      lines.add_row(std::move(line));
    }
    std::vector<std::string> cells;
    for (const Column& column : table.columns()) cells.push_back(cell_text(column, row));
    lines.add_row(std::move(cells));
  }
  lines.print(out);
}

}  // namespace twofold::cli
