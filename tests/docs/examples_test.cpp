#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command_tree.h"
#include "cli/registry.h"
#include "tests/support/transcript.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

std::string page_text(const std::string& page) {
  return read_file(std::string(TWOFOLD_SOURCE_DIR) + "/" + page);
}

std::vector<std::string> pages() {
  auto found = files_below("docs", ".md");
  found.emplace_back("README.md");
  return found;
}

class Examples : public ::testing::TestWithParam<std::string> {};

TEST_P(Examples, PrintWhatThePageSays) {
  const auto steps = parse_markdown_transcript(page_text(GetParam()));
  run_transcript(GetParam(), steps);
}

INSTANTIATE_TEST_SUITE_P(Docs, Examples, ::testing::ValuesIn(pages()), [](const auto& test) {
  std::string name = test.param.substr(0, test.param.size() - 3);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Docs, HaveAPageWithAnExampleForEveryCommand) {
  for (const cli::Command& command : cli::with_descriptions(cli::twofold_commands())) {
    std::string name = command.path;
    std::replace(name.begin(), name.end(), ' ', '_');
    const std::string page = "docs/commands/" + name + ".md";
    EXPECT_NE(page_text(page).find("$ twofold " + command.path), std::string::npos) << page;
    EXPECT_NE(page_text("docs/commands/README.md").find("(" + name + ".md)"), std::string::npos) << name;
  }
}

TEST(Docs, LinkOnlyToFilesThatExist) {
  for (const std::string& page : pages()) {
    const std::string text = page_text(page);
    const std::string folder = page.substr(0, page.find_last_of('/') + 1);
    for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
      target = target.substr(0, target.find('#'));
      if (target.empty() || target.find("://") != std::string::npos) continue;
      std::string path = folder;
      path += target;
      EXPECT_NO_THROW(static_cast<void>(page_text(path))) << page << " links to " << target;
    }
  }
}

}  // namespace
}  // namespace twofold::testing
