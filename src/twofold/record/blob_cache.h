#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace twofold::record {

/// Bytes that stay where they are; a file that was mapped, or memory.
class Blob {
 public:
  virtual ~Blob() = default;
  std::string_view bytes() const { return bytes_; }
  /// The bytes as values of a plain type. The start is aligned for it.
  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes_.data());
  }

 protected:
  std::string_view bytes_;
};

/// Writes bytes one after the other.
using BlobSink = std::function<void(std::string_view bytes)>;

/// A folder of files that several processes share: each is made once, by the process that asks first while the
/// others wait, and then mapped read-only by all, so that it is in memory once however many work.
///
/// For one dataset and one version of the program; whoever owns the folder removes it. Files appear whole or
/// not at all. Locks are the kernel's: a process that dies while it makes a file leaves the work to the next.
class BlobCache {
 public:
  /// The folder must exist.
  explicit BlobCache(std::string folder) : folder_(std::move(folder)) {}

  /// The file of that name (letters, digits, - and .), made by `make` if it is not there yet.
  /// Throws Error if it can be neither written nor read.
  std::shared_ptr<const Blob> get(const std::string& name, const std::function<void(const BlobSink&)>& make);

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace twofold::record
