#pragma once

#include <cstdint>
#include <string>

namespace twofold {

/// `512M`, `8G`, `1.5GiB` or plain bytes, as `--max-memory` takes it (powers of 1024).
/// Throws UsageError for anything else.
std::uint64_t parse_bytes(const std::string& text);

/// `8.0 GiB`, `312 MiB`, `17 B`: three significant digits.
std::string format_bytes(std::uint64_t bytes);

/// Bytes this process may use at most: physical memory, or the limit of its control group or ulimit if that is
/// less.
std::uint64_t available_memory();

/// What `--max-memory` means: its value, or for 0 nine tenths of what is available.
std::uint64_t resolve_memory_limit(std::uint64_t max_memory);

/// Throws Error `WHAT needs NEED of memory, the limit is LIMIT (--max-memory)` if need > limit.
void require_memory(const std::string& what, std::uint64_t need, std::uint64_t limit);

/// Most memory this process has held so far.
std::uint64_t peak_memory();

}  // namespace twofold
