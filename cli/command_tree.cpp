#include "cli/command_tree.h"

#include <algorithm>

#include "cli/command_completion.h"
#include "cli/command_man.h"

namespace twofold::cli {
namespace {

void add_place(const std::string& path, const std::string& summary, const Options& options,
               std::vector<CommandPlace>& places) {
  CommandPlace place;
  place.path = path;
  place.summary = summary;
  place.footer = options.footer_text();
  for (const auto& option : options.all())
    if (!option->text().is_hidden) place.options.push_back(option->text());
  for (const Options::Word& word : options.words()) place.words.emplace_back(word.name, word.summary);
  places.push_back(std::move(place));
  for (const Options::Word& word : options.words())
    add_place(path + " " + word.name, word.summary, *word.options, places);
}

}  // namespace

std::vector<CommandPlace> command_places(const std::vector<Command>& commands) {
  Parser parser("twofold", "", "", "");
  std::function<int(std::ostream&, std::ostream&)> chosen;
  const std::vector<Options*> declared = declare_commands(commands, parser, chosen);
  std::vector<CommandPlace> places(1);
  places[0].footer = program_footer();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string& path = commands[i].path;
    const auto space = path.find(' ');
    const std::string first = path.substr(0, space);
    auto& top = places[0].words;
    const auto is_first = [&](const auto& word) { return word.first == first; };
    if (space != std::string::npos) {
      if (std::none_of(top.begin(), top.end(), is_first)) {
        top.emplace_back(first, group_summary(first));
        CommandPlace group;
        group.path = first;
        group.summary = group_summary(first);
        places.push_back(std::move(group));
      }
      for (CommandPlace& place : places)
        if (place.path == first) place.words.emplace_back(path.substr(space + 1), commands[i].summary);
    } else {
      top.emplace_back(first, commands[i].summary);
    }
    add_place(path, commands[i].summary, *declared[i], places);
  }
  return places;
}

std::vector<Command> with_descriptions(std::vector<Command> commands) {
  const std::vector<Command> described = commands;
  commands.push_back(completion_command(described));
  commands.push_back(man_command(described));
  return commands;
}

}  // namespace twofold::cli
