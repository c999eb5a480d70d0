#include "twofold/base/content_kind.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "twofold/base/error.h"

namespace twofold {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* kind;
  std::size_t offset = 0;
};

// What the first bytes of binary formats always are.
constexpr Signature kSignatures[] = {
    {"PK\x03\x04"sv, "a zip archive"},
    {"PK\x05\x06"sv, "an empty zip archive"},
    {"\x1f\x8b"sv, "a gzip-compressed file"},
    {"BZh"sv, "a bzip2-compressed file"},
    {"\xfd\x37zXZ\0"sv, "an xz-compressed file"},
    {"\x28\xb5\x2f\xfd"sv, "a Zstandard-compressed file"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    {"Rar!\x1a\x07"sv, "a RAR archive"},
    {"ustar"sv, "a tar archive", 257},
    {"\x89PNG\r\n\x1a\n"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"GIF87a"sv, "a GIF image"},
    {"GIF89a"sv, "a GIF image"},
    {"II*\0"sv, "a TIFF image"},
    {"MM\0*"sv, "a TIFF image"},
    {"RIFF"sv, "a RIFF file (an image, sound or video)"},
    {"%PDF-"sv, "a PDF document"},
    {"%!PS"sv, "a PostScript document"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an old Office document"},
    {"\x93NUMPY"sv, "a NumPy array (.npy)"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {"MATLAB "sv, "a MATLAB file"},
    {"PAR1"sv, "a Parquet file"},
    {"ARROW1"sv, "an Arrow file"},
    {"SQLite format 3\0"sv, "an SQLite database"},
    {"\x7f"
     "ELF"sv,
     "a program"},
};

// What the first words of text formats are, letters of either case.
constexpr Signature kFirstWords[] = {
    {"<!doctype html"sv, "an HTML page"},
    {"<html"sv, "an HTML page"},
    {"<svg"sv, "an SVG picture"},
    {"<graphml"sv, "a GraphML file"},
    {"<gexf"sv, "a GEXF file"},
    {"<gxl"sv, "a GXL file"},
    {"%%matrixmarket"sv, "a Matrix Market file"},
    {"*vertices"sv, "a Pajek file"},
    {"#!"sv, "a script"},
    {"-----begin"sv, "a PEM file"},
    {"@<tripos>"sv, "a MOL2 file"},
    {"version https://git-lfs"sv, "a Git LFS pointer: the file itself was not downloaded"},
    {">>planar_code"sv, "a planar_code file"},
    {">>digraph6<<"sv, "a digraph6 file"},
};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool starts_with_words(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The first lines that have something on them. The last one may have been cut where the sample ends.
std::vector<std::string_view> first_lines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trimmed(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto start = line.find_first_not_of(" \t", at);
    if (start == std::string_view::npos) break;
    const auto end = std::min(line.find_first_of(" \t", start), line.size());
    words.push_back(line.substr(start, end - start));
    at = end;
  }
  return words;
}

bool is_integer(std::string_view word) {
  if (!word.empty() && word.front() == '-') word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_like_a_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789+-.eE") == std::string_view::npos &&
         word.find_first_of("0123456789") != std::string_view::npos;
}

// Fields of a line split at `separator`, those between quotes as one.
std::size_t count_fields(std::string_view line, char separator) {
  std::size_t count = 1;
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == separator && !is_quoted) ++count;
  }
  return count;
}

bool is_table(const std::vector<std::string_view>& lines, char separator) {
  if (lines.empty()) return false;
  // A sentence has commas too.
  if (lines.size() == 1 && lines[0].find(std::string{separator, ' '}) != std::string_view::npos) return false;
  const std::size_t fields = count_fields(lines[0], separator);
  return fields > 1 && std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
           return count_fields(line, separator) == fields;
         });
}

// Two nodes per line, perhaps weights behind them; lines that start # or % are comments.
bool is_edge_list(const std::vector<std::string_view>& lines) {
  std::size_t edges = 0;
  for (const std::string_view line : lines) {
    if (line[0] == '#' || line[0] == '%') continue;
    const auto words = words_of(line);
    if (words.size() < 2 || words.size() > 4 || !is_integer(words[0]) || !is_integer(words[1])) return false;
    if (!std::all_of(words.begin(), words.end(), is_like_a_number)) return false;
    ++edges;
  }
  return edges > 0;
}

bool is_dimacs(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    const auto words = words_of(line);
    if (words[0] == "c") continue;
    return words[0] == "p" && words.size() >= 4 && is_integer(words[words.size() - 1]);
  }
  return false;
}

// The program, three numbers of a header line, and a block that ends so: an MDL molfile or SDF.
bool is_molfile(std::string_view text) {
  return text.find("V2000") != std::string_view::npos || text.find("V3000") != std::string_view::npos;
}

std::string xml_kind(std::string_view text) {
  for (const auto& [element, kind] :
       {std::pair{"<graphml"sv, "a GraphML file"}, std::pair{"<gexf"sv, "a GEXF file"},
        std::pair{"<gxl"sv, "a GXL file"}, std::pair{"<svg"sv, "an SVG picture"},
        std::pair{"<html"sv, "an HTML page"}})
    if (text.find(element) != std::string_view::npos) return kind;
  return "an XML file";
}

bool is_toml_line(std::string_view line) {
  if (line.size() > 2 && line.front() == '[' && line.back() == ']')
    return std::all_of(line.begin() + 1, line.end() - 1, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
    });
  return false;
}

// The kind of a text, or nothing.
std::string text_kind(std::string_view text, bool is_cut) {
  const std::string_view body = trimmed(text);
  for (const Signature& known : kFirstWords)
    if (starts_with_words(body, known.bytes)) return known.kind;
  if (starts_with_words(body, "<?xml")) return xml_kind(body);
  auto lines = first_lines(body, 20);
  if (is_cut && lines.size() > 1) lines.pop_back();
  if (is_dimacs(lines)) return "a DIMACS graph";
  if (is_molfile(body)) return "a MOL or SDF file";
  for (const std::string_view word : {"graph"sv, "digraph"sv, "strict graph"sv, "strict digraph"sv})
    if (starts_with_words(body, word)) {
      const std::string_view rest = body.substr(word.size());
      const auto next = rest.find_first_not_of(" \t\r\n");
      if (next != std::string_view::npos && rest[next] == '[') return "a GML file";
      if (rest.substr(0, rest.find('\n')).find('{') != std::string_view::npos ||
          starts_with(trimmed(rest), "{"))
        return "a Graphviz (DOT) file";
    }
  if (starts_with_words(body, "creator") && body.find("graph") != std::string_view::npos) return "a GML file";
  if (is_toml_line(lines[0])) return "a TOML or INI file";
  if (body[0] == '[') return "a JSON array";
  if (body[0] == '{') return "a JSON object";
  if (is_edge_list(lines)) return "an edge list";
  if (is_table(lines, ',')) return "a CSV table";
  if (is_table(lines, ';')) return "a CSV table (fields between ;)";
  if (is_table(lines, '\t')) return "a table of tab-separated values";
  return "";
}

constexpr std::size_t kSample = 4096;

// safetensors, as twofold's models are: the length of a JSON object in 8 bytes, and the object.
bool is_tensor_file(std::string_view bytes) {
  if (bytes.size() < 10 || bytes[8] != '{' || (bytes[9] != '"' && bytes[9] != '}')) return false;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return length >= 2 && length <= bytes.size() - 8;
}

// The definite kind, or nothing.
std::string known_kind(std::string_view bytes) {
  const std::string_view sample = bytes.substr(0, kSample);
  for (const Signature& known : kSignatures)
    if (sample.size() >= known.offset && starts_with(sample.substr(known.offset), known.bytes))
      return known.kind;
  if (is_tensor_file(bytes)) return "a safetensors file, as twofold's models are";
  if (sample.size() > 2 && sample[0] == '\x80' && sample[1] >= 2 && sample[1] <= 5) return "a Python pickle";
  if (starts_with(sample, "\xff\xfe") || starts_with(sample, "\xfe\xff")) return "text in UTF-16";
  std::string_view text = sample;
  if (starts_with(text, "\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos || trimmed(text).empty()) return "";
  return text_kind(text, bytes.size() > kSample);
}

bool is_text(std::string_view sample) {
  return std::all_of(sample.begin(), sample.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 || is_blank(c) || c == '\f'; });
}

}  // namespace

std::string describe_content(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  if (trimmed(bytes.substr(0, kSample)).empty()) return "blank lines";
  if (std::string kind = known_kind(bytes); !kind.empty()) return kind;
  const std::string_view sample = bytes.substr(0, kSample);
  if (!is_text(sample)) return "binary data";
  const std::string_view body = trimmed(sample);
  return "text that starts " + in_quotes(std::string(trimmed(body.substr(0, body.find('\n')))));
}

bool is_known_content(std::string_view bytes) { return !known_kind(bytes).empty(); }

}  // namespace twofold
