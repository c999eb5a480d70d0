#include "twofold/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/report/filter.h"
#include "twofold/report/markup.h"
#include "twofold/report/page_style.h"
#include "twofold/report/plot_file.h"

namespace twofold::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWideTable = 8;  // columns from which print takes smaller letters

// A file within a link, so that a page that was sent alone still has its tables.
std::string data_link(const std::string& file, const std::string& type, const std::string& words,
                      const std::string& content) {
  std::string encoded;
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '_' || c == '.' || c == ',' || c == ':';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return fmt::format("<a class=\"download\" download=\"{}\" href=\"data:{};charset=utf-8,{}\">{}</a>",
                     escape_markup(file), type, encoded, words);
}

std::string beside(const std::string& path, const std::string& ending) {
  const fs::path page(path);
  return (page.parent_path() / (page.stem().string() + ending)).string();
}

std::string make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(fmt::format("cannot make the folder {}: {}", folder, system_error_text(error.value())));
  return folder;
}

void append_meaning(Text& words, const Table& table, Tone tone, const char* color, const char* meaning) {
  if (table.uses(tone)) words.plain(" ").emphasis(color).plain(meaning);
}

}  // namespace

Page::Page(std::string title, std::string command) : title_(std::move(title)), command_(std::move(command)) {}

void Page::answer(const Text& words) { answer_ += "<p class=\"answer\">" + words.html() + "</p>\n"; }

void Page::section(const std::string& title) {
  sections_.push_back(title);
  body_ += fmt::format("<h2 id=\"s{}\">{}</h2>\n", sections_.size(), escape_markup(title));
}

void Page::subsection(const std::string& title) { body_ += "<h3>" + escape_markup(title) + "</h3>\n"; }

void Page::paragraph(const Text& words) { body_ += "<p>" + words.html() + "</p>\n"; }

void Page::list(const std::vector<Text>& items) {
  body_ += "<ul>\n";
  for (const Text& item : items) body_ += "<li>" + item.html() + "</li>\n";
  body_ += "</ul>\n";
}

void Page::note(const Text& words) { body_ += "<div class=\"note\"><p>" + words.html() + "</p></div>\n"; }

void Page::warning(const Text& words) {
  body_ += "<div class=\"warning\" role=\"note\"><p>" + words.html() + "</p></div>\n";
}

void Page::commands(const std::vector<std::string>& lines) {
  body_ += "<pre tabindex=\"0\">";
  for (const std::string& line : lines) body_ += escape_markup(line) + "\n";
  body_ += "</pre>\n";
}

std::string Page::command_line(const Caption& caption) const {
  const std::string& command = caption.command.empty() ? command_ : caption.command;
  return command.empty() ? "" : "<code>$ " + escape_markup(command) + "</code>";
}

std::string Page::figure(const std::string& content, const Caption& caption) const {
  return content + "<figcaption>" + caption.words.html() + "<span class=\"made\">" + command_line(caption) +
         "</span></figcaption>\n";
}

std::string Page::drawn(const std::function<std::string()>& draw) {
  try {
    return draw();
  } catch (const MissingProgram& error) {
    const DrawingProgram& program = error.program();
    const std::string name = fmt::format("{} (package {})", program.product, program.package);
    if (std::find(missing_.begin(), missing_.end(), name) == missing_.end()) missing_.push_back(name);
    return "<div class=\"missing\">" +
           Text("Here would be a picture. It needs ")
               .plain(program.product)
               .plain(": install the package ")
               .code(program.package)
               .plain(" and run the command below again. The tables hold the figures.")
               .html() +
           "</div>\n";
  }
}

void Page::table(const Table& table, const Caption& caption) {
  for (const Table& other : tables_) TWOFOLD_CHECK(other.name() != table.name(), "two tables {}", table.name());
  Text words = caption.words;
  append_meaning(words, table, Tone::kNew, "Blue", ": a figure where the paper has none.");
  body_ += fmt::format("<figure class=\"table{}\">\n<figcaption>{}</figcaption>\n",
                       table.columns().size() >= kWideTable ? " wide" : "", words.html());
  body_ += fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
                       escape_markup(table.name()), table.html());
  body_ += "<span class=\"made\">" + data_link(table.name() + ".csv", "text/csv", "CSV", table.csv()) +
           data_link(table.name() + ".json", "application/json", "JSON", table.json()) + command_line(caption) +
           "</span>\n</figure>\n";
  tables_.push_back(table);
}

void Page::plot(const Plot& plot, const Caption& caption) {
  const std::string id = fmt::format("f{}", ++num_figures_);
  const std::string picture = drawn([&] {
    return "<div class=\"scroll\" tabindex=\"0\">\n" + draw_plot(plot, id) + "</div>\n" + draw_legend(plot);
  });
  Caption with_note = caption;
  if (!plot.note.empty()) with_note.words.plain(" " + plot.note);
  body_ += "<figure class=\"plot\">\n" + figure(picture, with_note) + "</figure>\n";
  plots_.push_back(plot);
  std::string& name = plots_.back().name;
  name = file_word(name);
  const auto is_taken = [&](const std::string& word) {
    return std::any_of(plots_.begin(), plots_.end() - 1, [&](const Plot& p) { return p.name == word; });
  };
  const std::string word = name;
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{}-{}", word, number);
}

void Page::plots(const std::vector<Plot>& plots, const std::vector<Caption>& captions) {
  TWOFOLD_CHECK(plots.size() == captions.size());
  if (plots.empty()) return;
  body_ += "<div class=\"plot-grid\">\n";
  for (std::size_t i = 0; i < plots.size(); ++i) plot(plots[i], captions[i]);
  body_ += "</div>\n";
}

void Page::drawing(const std::function<std::string()>& draw, const Caption& caption) {
  ++num_figures_;
  const std::string picture =
      drawn([&] { return "<div class=\"scroll\" tabindex=\"0\">\n" + draw() + "</div>\n"; });
  body_ += "<figure class=\"drawing\">\n" + figure(picture, caption) + "</figure>\n";
}

std::string Page::html() const {
  // The policy makes sure of it: no script runs and nothing is asked from anywhere.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n{3}<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{0}</h1>\n{2}",
      escape_markup(title_), kPageStyle, answer_,
      reload_ > 0 ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", reload_) : "");
  for (const std::string& program : missing_)
    html +=
        "<div class=\"warning\" role=\"note\"><p>" +
        Text(program).plain(" is not installed here, so pictures are left out; every table is whole.").html() +
        "</p></div>\n";
  if (sections_.size() > 2) {
    html += "<nav aria-label=\"On this page\">";
    for (std::size_t s = 0; s < sections_.size(); ++s)
      html += fmt::format("<a href=\"#s{}\">{}</a> ", s + 1, escape_markup(sections_[s]));
    html += "</nav>\n";
  }
  html += "</header>\n<main>\n" + body_ + "</main>\n";
  html += "<footer>" + Text(maker_).html() + "</footer>\n</body>\n</html>\n";
  return html;
}

std::string tables_folder(const std::string& path) { return beside(path, ".tables"); }
std::string plots_folder(const std::string& path) { return beside(path, ".plots"); }

PageFiles write_page(const Page& page, const std::string& path) {
  // The page is tried first: an unwritable place leaves nothing behind.
  AtomicFile file(path);
  file.write(page.html());
  PageFiles files;
  const auto write = [](const std::string& name, const std::string& content, std::vector<std::string>& list) {
    AtomicFile twin(name);
    twin.write(content);
    twin.commit();
    list.push_back(name);
  };
  if (!page.tables().empty()) {
    const std::string folder = make_folder(tables_folder(path));
    for (const Table& table : page.tables()) {
      write(folder + "/" + table.name() + ".csv", table.csv(), files.tables);
      write(folder + "/" + table.name() + ".json", table.json(), files.tables);
    }
  }
  if (!page.plots().empty()) {
    const std::string folder = make_folder(plots_folder(path));
    for (const Plot& plot : page.plots()) {
      const PlotFiles drawn = draw_plot_files(plot, plot.name);
      write(folder + "/" + plot.name + ".gp", drawn.source, files.plots);
      if (!drawn.svg.empty()) write(folder + "/" + plot.name + ".svg", drawn.svg, files.plots);
      if (!drawn.pdf.empty()) write(folder + "/" + plot.name + ".pdf", drawn.pdf, files.plots);
    }
  }
  file.commit();
  return files;
}

}  // namespace twofold::report
