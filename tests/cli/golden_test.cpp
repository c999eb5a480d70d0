#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/transcript.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatTheTranscriptSays) {
  const auto steps = parse_transcript(read_file(std::string(TWOFOLD_SOURCE_DIR) + "/" + GetParam()));
  ASSERT_FALSE(steps.empty());
  run_transcript(GetParam(), steps);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, Golden, ::testing::ValuesIn(files_below("tests/cli", ".txt")), [](const auto& test) {
      std::string name = test.param.substr(10, test.param.size() - 14);  // without "tests/cli/" and ".txt"
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

}  // namespace
}  // namespace twofold::testing
