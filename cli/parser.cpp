#include "cli/parser.h"

// The one file with CLI11, which takes 13 s to compile.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "twofold/base/error.h"
#include "twofold/base/spelling.h"

namespace twofold::cli {
namespace {

constexpr std::size_t kColumn = 34;

class ParsedOption final : public Option {
 public:
  // The flag; or, with a value, the option that hands it its texts.
  ParsedOption(CLI::Option* option, OptionText text) : option_(option) { text_ = std::move(text); }

  CLI::Option* parsed() const { return option_; }
  void set_limits(double* least, double* most) {
    least_ = least;
    most_ = most;
  }
  void set_value(std::function<void(const std::vector<std::string>&)> take,
                 std::function<std::string()> shown) {
    take_ = std::move(take);
    shown_ = std::move(shown);
  }

  Option& meaning(const std::string& text) override {
    text_.meaning = text;
    option_->description(text);
    return *this;
  }
  Option& type_name(const std::string& name) override {
    text_.value = name;
    option_->type_name(name);
    return *this;
  }
  Option& required() override {
    text_.is_required = true;
    option_->required();
    return *this;
  }
  Option& required_in_the_end() override {
    text_.is_required = true;
    option_->type_name(text_.value + " REQUIRED");
    return *this;
  }
  Option& show_default() override { return show_default(shown_ ? shown_() : ""); }
  Option& show_default(const std::string& text) override {
    text_.usual = text;
    option_->default_str(text);
    return *this;
  }
  Option& range(double least, double most) override {
    *least_ = least;
    *most_ = most;
    return meaning(fmt::format("{} ({}..{})", text_.meaning, least, most));
  }
  Option& one_of(std::vector<std::string> words) override {
    text_.words = std::move(words);
    return *this;
  }
  Option& group(const std::string& heading) override {
    text_.group = heading;
    option_->group(heading);
    return *this;
  }
  Option& hidden() override {
    text_.is_hidden = true;
    option_->group("");
    return *this;
  }
  Option& comma_separated() override {
    option_->delimiter(',')->allow_extra_args(false);
    return *this;
  }
  Option& optional_value(const std::string& value) override {
    alone_ = value;
    option_->expected(0, 1);
    return *this;
  }
  Option& needs(Option& other) override {
    option_->needs(static_cast<ParsedOption&>(other).option_);
    return *this;
  }
  Option& excludes(Option& other) override {
    option_->excludes(static_cast<ParsedOption&>(other).option_);
    return *this;
  }

  bool is_given() const override { return option_->count() > 0; }
  void set(const std::string& value) override {
    try {
      if (take_) return take({value});
      option_->add_result(value);
      option_->run_callback();
    } catch (const CLI::ParseError&) {
      throw UsageError(fmt::format("--{}: needed true or false, found {}", name(), in_quotes(value)));
    }
  }

  // Hands the texts of the command line to the variable; what is wrong with them is said with the option's
  // name.
  void take(std::vector<std::string> texts) const {
    if (!alone_.empty())
      for (std::string& text : texts)
        if (text.empty()) text = alone_;
    for (const std::string& text : texts)
      if (!text_.words.empty() && std::find(text_.words.begin(), text_.words.end(), text) == text_.words.end())
        throw UsageError(fmt::format("{}: needed {}, found {}", shown_name(), fmt::join(text_.words, ", "),
                                     in_quotes(text)));
    try {
      take_(texts);
    } catch (const UsageError& error) {
      const std::string said = error.what();
      const std::string prefix = shown_name() + ": ";
      throw UsageError(said.rfind(prefix, 0) == 0 ? said : prefix + said);
    }
  }

 private:
  std::string name() const {
    const auto names = long_names(text_);
    return names.empty() ? text_.names : names.front();
  }
  std::string shown_name() const { return text_.is_argument ? text_.names : "--" + name(); }

  CLI::Option* option_;
  std::function<void(const std::vector<std::string>&)> take_;
  std::function<std::string()> shown_;
  double* least_ = nullptr;
  double* most_ = nullptr;
  std::string alone_;
};

class ParsedOptions final : public Options {
 public:
  explicit ParsedOptions(CLI::App* app) : app_(app) {
    app_->footer("");  // CLI11 would take that of the word above
  }

  CLI::App* parsed() const { return app_; }

  Option& add_flag(const std::string& names, bool& value, const std::string& meaning) override {
    OptionText text;
    text.names = names;
    text.meaning = meaning;
    text.is_flag = true;
    all_.push_back(std::make_unique<ParsedOption>(app_->add_flag(names, value, meaning), std::move(text)));
    return *all_.back();
  }

  void footer(const std::string& text) override {
    footer_ = text;
    app_->footer(text);
  }

  Options& add_word(const std::string& name, const std::string& summary,
                    std::function<void()> chosen) override {
    CLI::App* word = app_->add_subcommand(name, summary);
    word->callback(std::move(chosen));
    words_.push_back({name, summary, std::make_unique<ParsedOptions>(word)});
    return *words_.back().options;
  }

  void take_words(const std::string& one, const std::string& several,
                  std::vector<std::string>& unknown) override {
    auto formatter = std::make_shared<CLI::Formatter>();
    formatter->column_width(kColumn);
    formatter->label("SUBCOMMAND", one);
    app_->formatter(formatter);
    for (const Word& word : words_) static_cast<const ParsedOptions&>(*word.options).app_->group(several);
    // A wrong word is the command's to name: CLI11 would only say that a subcommand is required.
    app_->require_subcommand(0, 1);
    app_->allow_extras();
    on_parsed([this, &unknown] { unknown = app_->remaining(); });
  }

  void on_parsed(std::function<void()> act) override { app_->parse_complete_callback(std::move(act)); }

 protected:
  Option& add_value(const std::string& names, std::shared_ptr<Value> value,
                    const std::string& meaning) override {
    OptionText text;
    text.names = names;
    text.meaning = meaning;
    text.is_argument = names[0] != '-';
    text.is_list = value->is_list;
    // CLI11 hands over texts; what they mean is decided in one way for all options.
    auto handle = std::make_shared<ParsedOption*>(nullptr);
    CLI::Option* option = nullptr;
    if (value->is_list)
      option = app_->add_option_function<std::vector<std::string>>(
          names, [handle](const std::vector<std::string>& texts) { (*handle)->take(texts); }, meaning);
    else
      option = app_->add_option_function<std::string>(
          names, [handle](const std::string& given) { (*handle)->take({given}); }, meaning);
    auto added = std::make_unique<ParsedOption>(option, std::move(text));
    added->set_limits(&value->least, &value->most);
    added->set_value([value](const std::vector<std::string>& texts) { value->take(texts); }, value->shown);
    *handle = added.get();
    all_.push_back(std::move(added));
    return *all_.back();
  }

 private:
  CLI::App* app_;
};

}  // namespace

struct Parser::Impl {
  CLI::App app;
  std::map<std::string, CLI::App*> groups;
  std::vector<std::unique_ptr<ParsedOptions>> commands;

  // The deepest command that was named.
  const CLI::App* deepest() const {
    const CLI::App* at = &app;
    for (auto below = at->get_subcommands(); !below.empty(); below = at->get_subcommands()) at = below.front();
    return at;
  }
};

Parser::Parser(const std::string& program, const std::string& description, const std::string& version,
               const std::string& footer)
    : impl_(std::make_unique<Impl>()) {
  CLI::App& app = impl_->app;
  app.name(program);
  app.description(description);
  app.footer(footer);
  app.require_subcommand(1);
  app.get_formatter()->column_width(kColumn);
  app.set_version_flag("--version", version, "Print the version and exit");
}

Parser::~Parser() = default;

void Parser::add_group(const std::string& name, const std::string& summary) {
  CLI::App* group = impl_->app.add_subcommand(name, summary);
  group->require_subcommand(1);
  group->footer(
      fmt::format("\n{} {} COMMAND --help explains each, with examples.", impl_->app.get_name(), name));
  impl_->groups[name] = group;
}

Options& Parser::add_command(const std::string& path, const std::string& summary,
                             std::function<void()> chosen) {
  const auto space = path.find(' ');
  CLI::App* parent = space == std::string::npos ? &impl_->app : impl_->groups.at(path.substr(0, space));
  CLI::App* app = parent->add_subcommand(space == std::string::npos ? path : path.substr(space + 1), summary);
  app->callback(std::move(chosen));
  impl_->commands.push_back(std::make_unique<ParsedOptions>(app));
  return *impl_->commands.back();
}

void Parser::parse(const std::vector<std::string>& arguments) {
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    impl_->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    throw AskedText{impl_->app.help()};
  } catch (const CLI::CallForVersion& asked) {
    throw AskedText{std::string(asked.what()) + '\n'};
  } catch (const CLI::ExtrasError&) {
    const CLI::App* app = impl_->deepest();
    std::vector<std::string> names;
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& extra : impl_->app.remaining(true)) {
      if (extra.empty() || extra[0] != '-' || extra == "-" || extra == "--") continue;
      const std::string given = extra.substr(0, extra.find('='));
      const std::string similar = most_similar(given, names);
      throw UsageError(similar.empty()
                           ? fmt::format("there is no option {}", given)
                           : fmt::format("there is no option {}; did you mean {}?", given, similar));
    }
    const auto extras = impl_->app.remaining(true);
    throw UsageError(fmt::format("found {}, which is one word too many", in_quotes(extras.front())));
  } catch (const CLI::ArgumentMismatch& error) {
    // CLI11's words for an option that is given again.
    const std::string said = error.what(), twice = ": At Most 1 required but received ";
    const std::size_t at = said.find(twice);
    if (at == std::string::npos) throw UsageError(said);
    throw UsageError(
        fmt::format("{}: needed once, found {} times", said.substr(0, at), said.substr(at + twice.size())));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

std::string Parser::called() const {
  std::string path = impl_->app.get_name();
  const CLI::App* at = &impl_->app;
  for (auto below = at->get_subcommands(); !below.empty(); below = at->get_subcommands()) {
    at = below.front();
    path += " " + at->get_name();
  }
  return path;
}

}  // namespace twofold::cli
