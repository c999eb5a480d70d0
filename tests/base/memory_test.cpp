#include "twofold/base/memory.h"

#include <gtest/gtest.h>

#include "twofold/base/error.h"

namespace twofold {
namespace {

TEST(Memory, ReadsSizesAsPeopleWriteThem) {
  EXPECT_EQ(parse_bytes("123"), 123u);
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("512M"), 512u << 20);
  EXPECT_EQ(parse_bytes("8g"), std::uint64_t{8} << 30);
  EXPECT_EQ(parse_bytes("1.5GiB"), (std::uint64_t{3} << 30) / 2);
  EXPECT_EQ(parse_bytes("2KB"), 2048u);
  for (const char* bad : {"", "G", "8X", "-1", "8GG", "1e300", "8 G", "nan", "0x10"})
    EXPECT_THROW(parse_bytes(bad), UsageError) << bad;
}

TEST(Memory, WritesThreeDigits) {
  EXPECT_EQ(format_bytes(17), "17 B");
  EXPECT_EQ(format_bytes(2048), "2.00 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{312} << 20), "312 MiB");
  EXPECT_EQ(format_bytes((std::uint64_t{47} << 30) / 2), "23.5 GiB");
}

TEST(Memory, NamesNeedAndLimit) {
  require_memory("the table", 100, 100);
  try {
    require_memory("the table", 2048, 1024);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the table needs 2.00 KiB of memory, the limit is 1.00 KiB (--max-memory)");
  }
}

TEST(Memory, KnowsTheMachine) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 26);
  EXPECT_LT(resolve_memory_limit(0), available_memory());
  EXPECT_EQ(resolve_memory_limit(77), 77u);
  EXPECT_GT(peak_memory(), 1u << 20);
}

}  // namespace
}  // namespace twofold
