#include "twofold/io/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_set>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"

namespace twofold::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 17;
constexpr std::size_t kTarBlock = 512;

using namespace std::literals;
constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kXz = "\xfd\x37zXZ\0"sv;
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd"sv;
constexpr std::string_view kBzip2 = "BZh"sv;
constexpr std::string_view kBzip2Block = "\x31\x41\x59\x26\x53\x59"sv;

bool starts_with(std::string_view bytes, std::string_view start) {
  return bytes.substr(0, start.size()) == start;
}

// The record that ends a zip, here of no files: libarchive does not know such a zip.
constexpr std::string_view kEmptyZip = "PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv;

bool is_zip(std::string_view bytes) { return starts_with(bytes, "PK\x03\x04") || bytes == kEmptyZip; }

bool is_compressed(std::string_view bytes) {
  // The three letters of bzip2 alone could begin a text.
  const bool is_bzip2 = starts_with(bytes, kBzip2) && bytes.size() >= 10 && bytes.substr(4, 6) == kBzip2Block;
  return starts_with(bytes, kGzip) || starts_with(bytes, kXz) || starts_with(bytes, kZstd) || is_bzip2;
}

bool is_tar(std::string_view bytes) {
  if (bytes.size() < kTarBlock || bytes.substr(257, 5) != "ustar") return false;
  // The header's checksum, in octal, is the sum of its bytes with the checksum itself as spaces.
  unsigned long sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i)
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(bytes[i]);
  unsigned long claimed = 0;
  std::string_view digits = bytes.substr(148, 8);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  for (const char c : digits) {
    if (c < '0' || c > '7') break;
    claimed = claimed * 8 + static_cast<unsigned long>(c - '0');
  }
  return sum == claimed;
}

// Counts what comes out, and stops it where the limits say.
class Budget {
 public:
  Budget(std::string_view archive, const std::string& source, const ArchiveLimits& limits)
      : source_(source), limits_(limits) {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t size = archive.size();
    by_ratio_ = limits.max_ratio != 0 && size > most / limits.max_ratio ? most : size * limits.max_ratio;
    by_ratio_ = std::max(by_ratio_, limits.always_allowed_bytes);
  }

  void add_bytes(std::uint64_t count) {
    bytes_ += count;
    if (bytes_ > limits_.max_bytes)
      throw_input_error(source_, 0, "an archive of at most " + format_bytes(limits_.max_bytes) + " unpacked",
                        "more");
    if (bytes_ > by_ratio_)
      throw_input_error(source_, 0,
                        fmt::format("an archive that unpacks to at most {} times its size", limits_.max_ratio),
                        "more (a decompression bomb?)");
  }

  void add_entry() {
    if (++entries_ > limits_.max_entries)
      throw_input_error(source_, 0, fmt::format("an archive of at most {} entries", limits_.max_entries),
                        "more");
  }

 private:
  const std::string& source_;
  const ArchiveLimits& limits_;
  std::uint64_t by_ratio_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t entries_ = 0;
};

struct ArchiveFree {
  void operator()(archive* a) const { archive_read_free(a); }
};
using ArchivePointer = std::unique_ptr<archive, ArchiveFree>;

ArchivePointer new_archive() {
  ArchivePointer reader(archive_read_new());
  if (!reader) throw std::bad_alloc();
  return reader;
}

[[noreturn]] void throw_damaged(archive* reader, const std::string& source, const std::string& needed) {
  // libarchive's text may repeat bytes of the archive.
  const char* text = archive_error_string(reader);
  throw_input_error(source, 0, needed, "damaged or cut off data" + (text ? ": " + in_quotes(text) : ""s));
}

// Appends what archive_read_data gives for the current entry to `out`.
void read_entry(archive* reader, const std::string& source, const std::string& needed, Budget& budget,
                std::string& out) {
  for (;;) {
    const std::size_t size = out.size();
    if (out.capacity() - size < kChunk) out.reserve(std::max(2 * size, size + kChunk));
    out.resize(size + kChunk);
    const la_ssize_t got = archive_read_data(reader, out.data() + size, kChunk);
    out.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    // A warning, such as of a wrong checksum or size, is damage to us.
    if (got < 0) throw_damaged(reader, source, needed);
    if (got == 0) return;
    budget.add_bytes(static_cast<std::uint64_t>(got));
  }
}

// libarchive passes over gzip's checksum, so gzip is left to zlib, which verifies it. As gunzip does, takes one
// member after the other and stops at anything else behind them.
std::string decompress_gzip(std::string_view bytes, const std::string& source, Budget& budget) {
  struct Inflater {
    z_stream stream{};
    Inflater() {
      if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream); }
  } inflater;
  z_stream& stream = inflater.stream;
  std::string out;
  std::size_t size = 0;
  std::string chunk(kChunk, '\0');
  for (;;) {
    if (stream.avail_in == 0 && !bytes.empty()) {  // zlib counts in 32 bits
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
      bytes.remove_prefix(stream.avail_in);
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = chunk.size() - stream.avail_out;
    budget.add_bytes(got);
    out.append(chunk, 0, got);
    size += got;
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_BUF_ERROR && stream.avail_in == 0 && bytes.empty())
      throw_input_error(source, 0, "whole gzip data", fmt::format("its end after {} unpacked bytes", size));
    if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
      throw_input_error(
          source, 0, "sound gzip data",
          fmt::format("damage after {} unpacked bytes{}", size, stream.msg ? ": "s + stream.msg : ""s));
    if (state == Z_STREAM_END) {
      const std::string_view rest(reinterpret_cast<const char*>(stream.next_in), stream.avail_in);
      if (!starts_with(rest.empty() ? bytes : rest, kGzip)) return out;
      inflateReset(&stream);
    }
  }
}

// The one layer of compression around a tar.
std::string decompress(std::string_view bytes, const std::string& source, Budget& budget) {
  if (starts_with(bytes, kGzip)) return decompress_gzip(bytes, source, budget);
  const std::string needed = "whole compressed data";
  const ArchivePointer reader = new_archive();
  // Not support_filter_all: that includes filters that start other programs.
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK ||
      archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK)
    throw_damaged(reader.get(), source, needed);
  // libarchive would peel up to 25 layers, each multiplying what the one before gave.
  if (archive_filter_count(reader.get()) != 2)
    throw_input_error(source, 0, "a tar compressed once", "compressed data within compressed data");
  std::string out;
  read_entry(reader.get(), source, needed, budget, out);
  return out;
}

// The name without empty parts and `.`. Throws if it leads out of the folder it is unpacked to.
std::string checked_name(archive_entry* entry, const std::string& source) {
  const char* text = archive_entry_pathname(entry);
  if (text == nullptr) text = archive_entry_pathname_utf8(entry);
  const std::string name = text == nullptr ? "" : text;
  const auto refuse = [&](const char* needed) { throw_input_error(source, 0, needed, in_quotes(name)); };
  if (!name.empty() && name[0] == '/') refuse("names relative to the archive");
  std::string out;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    start = end + 1;
    if (part == "..") refuse("names that stay within the archive");
    if (part.empty() || part == ".") continue;
    // A backslash is a folder's end, or the way out, to other systems; a control character fools the reader.
    for (const char c : part)
      if (c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        refuse("names without backslashes and control characters");
    if (!out.empty()) out += '/';
    out += part;
  }
  if (out.empty() && archive_entry_filetype(entry) != AE_IFDIR) refuse("a name for every file");
  return out;
}

// What an entry is that is neither a plain file nor a folder; nullptr if it is one.
const char* refused_kind(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr) return "the hard link";
  if (archive_entry_is_encrypted(entry)) return "the encrypted file";
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
    case AE_IFDIR:
      return nullptr;
    case AE_IFLNK:
      return "the symbolic link";
    default:
      return "the device, socket or pipe";
  }
}

std::vector<ArchivedFile> read_entries(archive* reader, const std::string& source, Budget& budget) {
  std::vector<ArchivedFile> files;
  std::unordered_set<std::string> names;
  for (;;) {
    archive_entry* entry = nullptr;
    const int state = archive_read_next_header(reader, &entry);
    if (state == ARCHIVE_EOF) return files;
    // A warning only means a name that this locale cannot show; checked_name looks at what there is of it.
    if (state != ARCHIVE_OK && state != ARCHIVE_WARN) throw_damaged(reader, source, "a whole archive");
    budget.add_entry();
    std::string name = checked_name(entry, source);
    if (const char* kind = refused_kind(entry))
      throw_input_error(source, 0, "plain files only", fmt::format("{} {}", kind, in_quotes(name)));
    std::string bytes;
    read_entry(reader, source, "the whole file " + in_quotes(name), budget, bytes);
    if (archive_entry_filetype(entry) == AE_IFDIR) {
      if (!bytes.empty())
        throw_input_error(source, 0, "folders without content", "content in " + in_quotes(name));
      continue;
    }
    if (!names.insert(name).second)
      throw_input_error(source, 0, "names that come once", in_quotes(name) + " twice");
    bytes.shrink_to_fit();
    files.push_back({std::move(name), std::move(bytes)});
  }
}

std::vector<ArchivedFile> read_zip(std::string_view bytes, const std::string& source, Budget& budget) {
  if (bytes == kEmptyZip) return {};
  const ArchivePointer reader = new_archive();
  // The seeking reader only: it starts from the list of contents at the end, which a cut-off zip has lost. The
  // streaming one would take what is left for the whole.
  archive_read_support_format_zip_seekable(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    throw_input_error(source, 0, "a whole zip archive", "no list of contents at its end: damaged or cut off");
  return read_entries(reader.get(), source, budget);
}

std::vector<ArchivedFile> read_tar(std::string_view bytes, const std::string& source, Budget& budget) {
  const ArchivePointer reader = new_archive();
  archive_read_support_format_tar(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    throw_damaged(reader.get(), source, "a whole tar archive");
  auto files = read_entries(reader.get(), source, budget);
  // libarchive takes an end where a header is due for the end of the archive; but a tar ends with a block of
  // zeros.
  const la_int64_t end = archive_read_header_position(reader.get());
  if (end < 0 || bytes.size() < kTarBlock || static_cast<std::size_t>(end) > bytes.size() - kTarBlock)
    throw_input_error(source, 0, "a whole tar archive", "no block of zeros at its end: damaged or cut off");
  return files;
}

}  // namespace

bool looks_like_archive(std::string_view bytes) {
  return is_zip(bytes) || is_compressed(bytes) || is_tar(bytes);
}

std::vector<ArchivedFile> unpack_archive(std::string_view bytes, const std::string& source_name,
                                         const ArchiveLimits& limits) {
  Budget budget(bytes, source_name, limits);
  if (is_zip(bytes)) return read_zip(bytes, source_name, budget);
  if (is_tar(bytes)) return read_tar(bytes, source_name, budget);
  if (!is_compressed(bytes))
    throw_input_error(source_name, 0, "a zip or tar archive",
                      bytes.empty() ? "nothing" : in_quotes(std::string(bytes.substr(0, 8))));
  // The tar counts on its own: what it unpacks to may be more than itself (sparse files), seldom less.
  Budget tar_budget(bytes, source_name, limits);
  const std::string tar = decompress(bytes, source_name, tar_budget);
  if (!is_tar(tar))
    throw_input_error(source_name, 0, "a tar archive within the compressed data",
                      tar.empty() ? "nothing" : in_quotes(tar.substr(0, 8)));
  return read_tar(tar, source_name, budget);
}

}  // namespace twofold::io
