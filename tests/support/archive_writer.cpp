#include "tests/support/archive_writer.h"

#include <archive.h>
#include <archive_entry.h>

#include <stdexcept>

namespace twofold::testing {
namespace {

la_ssize_t append(archive*, void* bytes, const void* data, std::size_t size) {
  static_cast<std::string*>(bytes)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

void require(archive* writer, int state) {
  if (state < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(writer));
}

void add_filter(archive* writer, Packing packing) {
  if (packing == Packing::kTarGzip) require(writer, archive_write_add_filter_gzip(writer));
  if (packing == Packing::kTarBzip2) require(writer, archive_write_add_filter_bzip2(writer));
  if (packing == Packing::kTarXz) require(writer, archive_write_add_filter_xz(writer));
  if (packing == Packing::kTarZstd) require(writer, archive_write_add_filter_zstd(writer));
}

void set_format(archive* writer, Packing packing) {
  const bool encrypted = packing == Packing::kEncryptedZip;
  if (encrypted || packing == Packing::kZip || packing == Packing::kStoredZip) {
    require(writer, archive_write_set_format_zip(writer));
    if (packing == Packing::kStoredZip) require(writer, archive_write_zip_set_compression_store(writer));
    if (encrypted) require(writer, archive_write_set_options(writer, "zip:encryption=traditional"));
    if (encrypted) require(writer, archive_write_set_passphrase(writer, "secret"));
  } else {
    require(writer, archive_write_set_format_pax_restricted(writer));
  }
}

void open_into(archive* writer, std::string& bytes) {
  require(writer, archive_write_set_bytes_in_last_block(writer, 1));
  require(writer, archive_write_open(writer, &bytes, nullptr, append, nullptr));
}

void write_entry(archive* writer, const ArchiveEntry& given) {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, given.name.c_str());
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, 0);
  switch (given.kind) {
    case EntryKind::kFile:
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(given.content.size()));
      break;
    case EntryKind::kFolder:
      archive_entry_set_filetype(entry, AE_IFDIR);
      break;
    case EntryKind::kSymbolicLink:
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, given.content.c_str());
      break;
    case EntryKind::kHardLink:
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_hardlink(entry, given.content.c_str());
      break;
    case EntryKind::kPipe:
      archive_entry_set_filetype(entry, AE_IFIFO);
      break;
  }
  require(writer, archive_write_header(writer, entry));
  if (given.kind == EntryKind::kFile && !given.content.empty() &&
      archive_write_data(writer, given.content.data(), given.content.size()) < 0)
    throw std::runtime_error(archive_error_string(writer));
  archive_entry_free(entry);
}

}  // namespace

std::vector<Packing> sound_packings() {
  return {Packing::kZip,      Packing::kStoredZip, Packing::kTar,    Packing::kTarGzip,
          Packing::kTarBzip2, Packing::kTarXz,     Packing::kTarZstd};
}

std::string write_archive(const std::vector<ArchiveEntry>& entries, Packing packing) {
  archive* writer = archive_write_new();
  std::string bytes;
  add_filter(writer, packing);
  set_format(writer, packing);
  open_into(writer, bytes);
  for (const ArchiveEntry& entry : entries) write_entry(writer, entry);
  require(writer, archive_write_close(writer));
  archive_write_free(writer);
  return bytes;
}

std::string compress(const std::string& bytes, Packing packing) {
  archive* writer = archive_write_new();
  std::string out;
  add_filter(writer, packing);
  require(writer, archive_write_set_format_raw(writer));
  open_into(writer, out);
  write_entry(writer, {"data", bytes});
  require(writer, archive_write_close(writer));
  archive_write_free(writer);
  return out;
}

std::vector<ArchiveEntry> small_tu_dataset(const std::string& name) {
  const std::string stem = name + "/" + name;
  return {
      {name + "/", "", EntryKind::kFolder},
      {stem + "_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n5, 6\n6, 5\n"},
      {stem + "_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n"},
      {stem + "_graph_labels.txt", "1\n-1\n"},
      {name + "/README.txt", "Two graphs.\n"},
  };
}

}  // namespace twofold::testing
