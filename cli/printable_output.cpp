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

}  // namespace

PrintableOutput::PrintableOutput(std::ostream& stream) : stream_(stream), inner_(stream.rdbuf()) {
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
  return send(printable_lines(text));
}

void PrintableOutput::draw(std::string_view sequence) {
  inner_->sputn(sequence.data(), static_cast<std::streamsize>(sequence.size()));
}

std::ostream& draw(std::ostream& stream, std::string_view sequence) {
  auto* printable = dynamic_cast<PrintableOutput*>(stream.rdbuf());
  if (printable == nullptr) return stream << sequence;
  printable->draw(sequence);
  return stream;
}

std::ostream& line_start(std::ostream& stream) { return draw(stream, "\r"); }
std::ostream& line_rest_cleared(std::ostream& stream) { return draw(stream, "\x1b[K"); }

}  // namespace twofold::cli
