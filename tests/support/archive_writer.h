#pragma once

#include <string>
#include <vector>

namespace twofold::testing {

enum class Packing { kZip, kStoredZip, kEncryptedZip, kTar, kTarGzip, kTarBzip2, kTarXz, kTarZstd };

/// All but the encrypted one.
std::vector<Packing> sound_packings();

enum class EntryKind { kFile, kFolder, kSymbolicLink, kHardLink, kPipe };

struct ArchiveEntry {
  std::string name;
  std::string content;  // a link's target
  EntryKind kind = EntryKind::kFile;
};

/// The bytes of an archive of these entries, in order, hostile names and all (by libarchive's writer).
std::string write_archive(const std::vector<ArchiveEntry>& entries, Packing packing);

/// `bytes` compressed by one of the four kinds that a tar may have, whatever they are.
std::string compress(const std::string& bytes, Packing packing);

/// A dataset NAME of two graphs, a triangle and a path, as the collection packs it.
std::vector<ArchiveEntry> small_tu_dataset(const std::string& name);

}  // namespace twofold::testing
