#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/io/archive.h"

namespace twofold::io {

/// Where the TU collection keeps its archives.
inline constexpr const char* kTuCollection = "https://www.chrsmrrs.com/graphkerneldatasets";

struct FetchOptions {
  std::string name;          // of the dataset: letters, digits and _ . -, not starting with a dot or -
  std::string folder = ".";  // where the folder NAME is made; it is made too where there is none
  std::string mirror = kTuCollection;  // an http, https or file address; the archive is MIRROR/NAME.zip
  std::uint64_t max_download = std::uint64_t{4} << 30;  // bytes
  ArchiveLimits archive;

  long connect_seconds = 30;  // to reach the server
  // A transfer slower than so many bytes per second for so many seconds is given up.
  long slowest_rate = 2000;
  long slowest_seconds = 30;
};

struct FetchedDataset {
  std::string folder;       // that was written: FOLDER/NAME
  std::string url;          // that was asked for, without a password
  std::uint64_t bytes = 0;  // of the archive
  std::size_t num_graphs = 0;
  std::vector<std::string> files;  // written, in the order of the archive
  std::vector<std::string>
      left_out;  // names in the archive that are neither in NAME/ nor at its top, or hidden
};

/// Downloads the TU dataset NAME, verifies that it is one, and writes it as the folder FOLDER/NAME.
///
/// The folder appears complete or not at all (base/file.h), and so do its parents where they are missing. A
/// place that cannot be written, and a folder that exists and is not empty, are refused before anything is
/// downloaded. From https only https is followed, from http both, and never anything else. Proxies are taken
/// from the environment (`https_proxy`, `no_proxy`). Holds the archive and its unpacked files in memory.
/// `progress` counts bytes of the download.
///
/// Throws UsageError for a bad name or address, InputError naming the address where the archive is not as it
/// should be, Error where the download or the writing fails. Safe to call from several threads.
FetchedDataset fetch_dataset(const FetchOptions& options, const Progress& progress = {});

}  // namespace twofold::io
