#include "twofold/report/text.h"

#include "twofold/report/markup.h"

namespace twofold::report {

Text& Text::plain(const std::string& words) {
  html_ += escape_markup(words);
  return *this;
}

Text& Text::strong(const std::string& words) {
  html_ += "<strong>" + escape_markup(words) + "</strong>";
  return *this;
}

Text& Text::emphasis(const std::string& words) {
  html_ += "<em>" + escape_markup(words) + "</em>";
  return *this;
}

Text& Text::code(const std::string& words) {
  html_ += "<code>" + escape_markup(words) + "</code>";
  return *this;
}

Text& Text::add(const Text& other) {
  html_ += other.html_;
  return *this;
}

}  // namespace twofold::report
