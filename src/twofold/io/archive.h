#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twofold::io {

/// One regular file of an archive.
struct ArchivedFile {
  // Relative, its parts joined by single slashes, without `.` and `..`: `MUTAG/MUTAG_A.txt`.
  std::string name;
  std::string bytes;
};

/// What an archive may at most ask of us; a hostile one is small and unpacks to anything.
struct ArchiveLimits {
  std::size_t max_entries = 10'000;                  // folders count too
  std::uint64_t max_bytes = std::uint64_t{8} << 30;  // of all unpacked files together
  // Unpacked bytes for each byte of the archive. Deflate ends at 1032 and edge lists stay below 20.
  std::uint64_t max_ratio = 500;
  // Up to here any ratio is fine.
  std::uint64_t always_allowed_bytes = std::uint64_t{16} << 20;
};

/// Whether the first bytes are those of a zip, of gzip, bzip2, xz or zstd data, or of a tar with a right
/// checksum.
bool looks_like_archive(std::string_view bytes);

/// The regular files of a zip, or of a tar that may be compressed once by gzip, bzip2, xz or zstd, in the order
/// of the archive. Folders are passed over; an archive without files gives none.
///
/// Touches no file system and runs no other program. All or nothing: throws InputError
/// `SOURCE: needed …, found …` for what is not an archive or is cut off or damaged (checksums are verified),
/// for names that lead out (absolute, or with `..`) or come twice, for links, devices and encrypted files,
/// and beyond the limits. Holds the unpacked bytes in memory, those of a compressed tar twice meanwhile.
/// Safe to call from several threads.
std::vector<ArchivedFile> unpack_archive(std::string_view bytes, const std::string& source_name,
                                         const ArchiveLimits& limits = {});

}  // namespace twofold::io
