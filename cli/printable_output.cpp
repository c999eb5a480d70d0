#include "cli/printable_output.h"

#include <algorithm>

#include "twofold/base/printable.h"

namespace twofold::cli {
namespace {

bool is_plain(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

// Where a letter begins that the text does not end; the text's size if there is none.
std::size_t start_of_unfinished(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::string_view tail = text.substr(text.size() - back);
    if ((static_cast<unsigned char>(tail[0]) & 0xc0u) == 0x80u) continue;
    return utf8_length(tail) > tail.size() ? text.size() - back : text.size();
  }
  return text.size();
}

std::string printable_but_drawing(std::string_view text) {
  constexpr std::string_view kClear = "\x1b[K";
  std::string result;
  while (!text.empty()) {
    const std::size_t at = std::min({text.find('\r'), text.find(kClear), text.size()});
    result += printable_lines(text.substr(0, at));
    const std::size_t length = at == text.size() ? 0 : text[at] == '\r' ? 1 : kClear.size();
    result += text.substr(at, length);
    text.remove_prefix(at + length);
  }
  return result;
}

}  // namespace

PrintableOutput::PrintableOutput(std::ostream& stream, bool draws_over)
    : stream_(stream), inner_(stream.rdbuf()), draws_over_(draws_over) {
  stream_.rdbuf(this);
}

PrintableOutput::~PrintableOutput() {
  if (!begun_.empty()) {
    const std::string shown = printable_lines(begun_);
    inner_->sputn(shown.data(), static_cast<std::streamsize>(shown.size()));
  }
  const std::ios_base::iostate state = stream_.rdstate();
  stream_.rdbuf(inner_);  // clears the state
  stream_.setstate(state);
}

PrintableOutput::int_type PrintableOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return put({&byte, 1}) ? c : traits_type::eof();
}

std::streamsize PrintableOutput::xsputn(const char* bytes, std::streamsize count) {
  return put({bytes, static_cast<std::size_t>(count)}) ? count : 0;
}

int PrintableOutput::sync() { return inner_->pubsync(); }

bool PrintableOutput::put(std::string_view bytes) {
  const auto send = [&](std::string_view text) {
    return inner_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
           static_cast<std::streamsize>(text.size());
  };
  // Nearly all output is plain, and a dataset can be large.
  if (begun_.empty() && std::all_of(bytes.begin(), bytes.end(), is_plain)) return send(bytes);
  std::string text = begun_ + std::string(bytes);
  const std::size_t end = start_of_unfinished(text);
  begun_ = text.substr(end);
  text.resize(end);
  return send(draws_over_ ? printable_but_drawing(text) : printable_lines(text));
}

}  // namespace twofold::cli
