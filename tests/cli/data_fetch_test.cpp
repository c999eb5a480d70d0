#include "cli/command_data_fetch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/registry.h"
#include "tests/support/archive_writer.h"
#include "tests/support/folder_names.h"
#include "tests/support/http_server.h"
#include "tests/support/temporary_folder.h"

namespace twofold::cli {
namespace {

using namespace twofold::testing;

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

Said run(const std::vector<std::string>& arguments) {
  setenv("no_proxy", "127.0.0.1", 1);
  std::ostringstream out;
  std::ostringstream err;
  Said said;
  said.code = run_program(twofold_commands(), arguments, out, err);
  said.out = out.str();
  said.err = err.str();
  return said;
}

TEST(DataFetch, PrintsTheFolderAndALineOfCounts) {
  const std::string zip = write_archive(small_tu_dataset("SMALL"), Packing::kZip);
  HttpServer server({{"/SMALL.zip", reply_ok(zip)}});
  const TemporaryFolder folder;
  const Said said = run({"data", "fetch", "SMALL", "-o", folder.path(), "--mirror", server.address()});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, folder.path() + "/SMALL\n2 graphs in 4 files from " + server.address() + "/SMALL.zip (" +
                          std::to_string(zip.size()) + " B)\n");
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"SMALL"}));
}

TEST(DataFetch, PrintsOneJsonObject) {
  auto entries = small_tu_dataset("SMALL");
  entries.push_back({"__MACOSX/._SMALL_A.txt", "x"});
  const std::string zip = write_archive(entries, Packing::kZip);
  HttpServer server({{"/SMALL.zip", reply_ok(zip)}});
  const TemporaryFolder folder;
  const Said said =
      run({"data", "fetch", "SMALL", "-o", folder.path(), "--mirror", server.address(), "--json", "--quiet"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "");
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["name"], "SMALL");
  EXPECT_EQ(json["folder"], folder.path() + "/SMALL");
  EXPECT_EQ(json["url"], server.address() + "/SMALL.zip");
  EXPECT_EQ(json["bytes"], zip.size());
  EXPECT_EQ(json["graphs"], 2);
  EXPECT_EQ(json["files"], nlohmann::json({"SMALL_A.txt", "SMALL_graph_indicator.txt", "SMALL_graph_labels.txt",
                                           "README.txt"}));
  EXPECT_EQ(json["left_out"], nlohmann::json({"__MACOSX/._SMALL_A.txt"}));
}

TEST(DataFetch, SaysWhatItLeftOut) {
  auto entries = small_tu_dataset("SMALL");
  entries.push_back({"__MACOSX/._SMALL_A.txt", "x"});
  HttpServer server({{"/SMALL.zip", reply_ok(write_archive(entries, Packing::kZip))}});
  const TemporaryFolder folder;
  const Said said = run({"data", "fetch", "SMALL", "-o", folder.path(), "--mirror", server.address()});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "left out 1 file of the archive that is not of the dataset\n");
}

TEST(DataFetch, ObeysMaxSize) {
  HttpServer server({{"/SMALL.zip", reply_endless()}});
  const TemporaryFolder folder;
  const Said said =
      run({"data", "fetch", "SMALL", "-o", folder.path(), "--mirror", server.address(), "--max-size", "1M"});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err,
            server.address() +
                "/SMALL.zip: needed an archive of at most 1.00 MiB (--max-size), found a larger one\n");
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(names_in(folder.path()).empty());
  EXPECT_EQ(run({"data", "fetch", "SMALL", "--max-size", "much"}).code, 2);
}

TEST(DataFetch, LeavesNothingWhenInterrupted) {
  const std::string program = std::string(TWOFOLD_BINARY_DIR) + "/twofold";
  HttpServer server({{"/SMALL.zip", reply_drip()}});
  const TemporaryFolder folder;
  std::vector<std::string> words = {program, "data",        "fetch",    "SMALL",
                                    "-o",    folder.path(), "--mirror", server.address()};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  setenv("no_proxy", "127.0.0.1", 1);
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ), 0);
  // The server has been asked, so the folder beside the target exists: half-way by construction.
  for (int waited = 0; server.num_requests() == 0 && waited < 3000; ++waited) usleep(10'000);
  EXPECT_EQ(server.num_requests(), 1);
  EXPECT_EQ(names_in(folder.path()).size(), 1u);
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(names_in(folder.path()).empty());
}

}  // namespace
}  // namespace twofold::cli
