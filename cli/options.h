#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twofold::cli {

/// What an option is, as --help, man pages and shell completion tell it.
struct OptionText {
  std::string names;               // "-o,--output", or "DATASET" for an argument without a name
  std::string meaning;             // one line
  std::string value;               // what stands for its value: "PATH"; empty for a flag
  std::string usual;               // the default as text; empty if there is none to show
  std::string group;               // the heading it stands under; "" for the usual one
  std::vector<std::string> words;  // the values it can have, if they are few
  bool is_flag = false;
  bool is_argument = false;  // it has no name: the value alone stands on the command line
  bool is_list = false;      // may be given several times, or several values
  bool is_required = false;
  bool is_hidden = false;
};

/// "output" and the like: the names after two dashes.
std::vector<std::string> long_names(const OptionText& option);

/// One option of a command. All setters return the option itself, so that they can be chained.
class Option {
 public:
  virtual ~Option() = default;
  const OptionText& text() const { return text_; }

  /// Replaces what --help says of it.
  virtual Option& meaning(const std::string& text) = 0;
  /// What stands for the value in --help: N, PATH, …
  virtual Option& type_name(const std::string& name) = 0;
  virtual Option& required() = 0;
  /// --help says that it is required, but the command sees to it: a configuration file may give it. Call last.
  virtual Option& required_in_the_end() = 0;
  /// --help shows the value the variable has now, or `text`.
  virtual Option& show_default() = 0;
  virtual Option& show_default(const std::string& text) = 0;
  /// Numbers outside are refused; --help tells the limits.
  virtual Option& range(double least, double most) = 0;
  /// Other words are refused.
  virtual Option& one_of(std::vector<std::string> words) = 0;
  virtual Option& group(const std::string& heading) = 0;
  /// Works, but --help does not show it.
  virtual Option& hidden() = 0;
  /// A list with commas between its values, in one argument.
  virtual Option& comma_separated() = 0;
  /// The option alone means `value`.
  virtual Option& optional_value(const std::string& value) = 0;
  virtual Option& needs(Option& other) = 0;
  virtual Option& excludes(Option& other) = 0;

  /// Whether the command line has it. Only once that is parsed.
  virtual bool is_given() const = 0;
  /// Sets the variable as the command line would. Throws UsageError.
  virtual void set(const std::string& value) = 0;

 protected:
  OptionText text_;
};

/// The options of one command. Declaring opens no file and needs nothing but memory. The library that parses
/// them takes 13 s to compile, so it stays behind this class.
class Options {
 public:
  virtual ~Options() = default;

  /// `names` are "--threads", "-o,--output", or "DATASET" for an argument. The variable must outlive parsing
  /// and keeps its value where the option is not given. Whole numbers that have no sign refuse one.
  Option& add(const std::string& names, std::string& value, const std::string& meaning);
  Option& add(const std::string& names, int& value, const std::string& meaning);
  Option& add(const std::string& names, std::uint64_t& value, const std::string& meaning);
  Option& add(const std::string& names, double& value, const std::string& meaning);
  Option& add(const std::string& names, std::optional<std::uint64_t>& value, const std::string& meaning);
  Option& add(const std::string& names, std::vector<std::string>& values, const std::string& meaning);
  Option& add(const std::string& names, std::vector<std::uint64_t>& values, const std::string& meaning);
  /// Calls `take` with the text that was given; it throws UsageError for a wrong one.
  Option& add_call(const std::string& names, std::function<void(const std::string&)> take,
                   const std::string& meaning);
  /// An option without a value.
  virtual Option& add_flag(const std::string& names, bool& value, const std::string& meaning) = 0;

  /// What --help says last: explanations and examples.
  virtual void footer(const std::string& text) = 0;
  /// A word below this command, with options of its own; `chosen` is called when it is given.
  virtual Options& add_word(const std::string& name, const std::string& summary,
                            std::function<void()> chosen) = 0;
  /// How --help calls such words, one and several. What stands there but is none of them goes to `unknown`, for
  /// the command to say what it knows.
  virtual void take_words(const std::string& one, const std::string& several,
                          std::vector<std::string>& unknown) = 0;
  /// Called once the command's part of the command line is parsed, before the command runs.
  virtual void on_parsed(std::function<void()> act) = 0;

  /// All that are declared, in their order.
  const std::vector<std::unique_ptr<Option>>& all() const { return all_; }
  /// The one with the long name `name` (without dashes), or nullptr.
  Option* find(const std::string& name) const;
  const std::string& footer_text() const { return footer_; }
  /// Words below this command, in their order.
  struct Word {
    std::string name, summary;
    std::unique_ptr<Options> options;
  };
  const std::vector<Word>& words() const { return words_; }

 protected:
  struct Value {
    std::function<void(const std::vector<std::string>&)> take;
    std::function<std::string()> shown;
    bool is_list = false;
    double least = 0, most = 0;  // equal if there are no limits
  };
  virtual Option& add_value(const std::string& names, std::shared_ptr<Value> value,
                            const std::string& meaning) = 0;
  std::vector<std::unique_ptr<Option>> all_;
  std::vector<Word> words_;
  std::string footer_;
};

// Options that mean the same in every command are declared here and nowhere else.

/// `--json`: the result is one JSON object on standard output.
void declare_json(Options& flags, bool& json);
/// `--quiet`: no words and no progress on standard error.
void declare_quiet(Options& flags, bool& quiet);
/// `--threads N`: 0 takes all available ones. Never changes a result.
void declare_threads(Options& flags, int& threads);
/// `--seed N`.
void declare_seed(Options& flags, std::uint64_t& seed);
/// `-o, --output PATH`.
Option& declare_output(Options& flags, std::string& path, const std::string& meaning);
/// `--max-memory SIZE`, in bytes; 0 (the default) takes nine tenths of what the machine has.
void declare_max_memory(Options& flags, std::uint64_t& bytes);

}  // namespace twofold::cli
