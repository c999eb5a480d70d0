#pragma once

#include <string>

namespace twofold::report {

/// Words of a page. What is put in is text and stays text: nothing in it is read as markup.
///
///     page.paragraph(Text("Best is ").strong(name).plain(", by ").code("twofold compare").plain("."));
class Text {
 public:
  Text() = default;
  Text(const char* words) { plain(words); }         // NOLINT(google-explicit-constructor): words are words
  Text(const std::string& words) { plain(words); }  // NOLINT(google-explicit-constructor)

  Text& plain(const std::string& words);
  Text& strong(const std::string& words);
  Text& emphasis(const std::string& words);
  /// In the letters of a program: commands, options, file names.
  Text& code(const std::string& words);
  Text& add(const Text& other);

  bool empty() const { return html_.empty(); }
  /// Escaped, ready to stand in a page.
  const std::string& html() const { return html_; }

 private:
  std::string html_;
};

}  // namespace twofold::report
