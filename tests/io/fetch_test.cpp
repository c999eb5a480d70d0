#include "twofold/io/fetch.h"

#include <gtest/gtest.h>

#include "tests/support/archive_writer.h"
#include "tests/support/folder_names.h"
#include "tests/support/http_server.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::io {
namespace {

using namespace twofold::testing;

std::string small_zip() { return write_archive(small_tu_dataset("SMALL"), Packing::kZip); }

class Fetch : public ::testing::Test {
 protected:
  void SetUp() override { setenv("no_proxy", "127.0.0.1", 1); }

  FetchOptions options(const std::string& mirror) const {
    FetchOptions out;
    out.name = "SMALL";
    out.folder = folder.path();
    out.mirror = mirror;
    return out;
  }

  // Fetches SMALL from a server that answers so, and gives what the error says. Nothing may be left behind.
  std::string error_of(const HttpReply& reply, std::uint64_t max_download = 1 << 20) {
    HttpServer server({{"/SMALL.zip", reply}});
    FetchOptions given = options(server.address());
    given.max_download = max_download;
    given.slowest_seconds = 1;
    return error_of(given);
  }

  std::string error_of(const FetchOptions& given) {
    std::string said = "no error";
    try {
      fetch_dataset(given);
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_EQ(names_in(folder.path()), std::set<std::string>());
    return said;
  }

  TemporaryFolder folder;
};

#define EXPECT_SAYS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(Fetch, WritesTheFolderOfTheDataset) {
  HttpServer server({{"/sets/SMALL.zip", reply_ok(small_zip())}});
  for (const char* slashes : {"", "/", "//"}) {
    const TemporaryFolder target;
    FetchOptions given = options(server.address() + "/sets" + slashes);
    given.folder = target.path();
    const FetchedDataset fetched = fetch_dataset(given);
    EXPECT_EQ(fetched.folder, target.path() + "/SMALL");
    EXPECT_EQ(fetched.url, server.address() + "/sets/SMALL.zip");
    EXPECT_EQ(fetched.bytes, small_zip().size());
    EXPECT_EQ(fetched.files, (std::vector<std::string>{"SMALL_A.txt", "SMALL_graph_indicator.txt",
                                                       "SMALL_graph_labels.txt", "README.txt"}));
    EXPECT_TRUE(fetched.left_out.empty());
    EXPECT_EQ(fetched.num_graphs, 2u);
    EXPECT_EQ(names_in(target.path()), (std::set<std::string>{"SMALL"}));
    EXPECT_EQ(read_file(fetched.folder + "/SMALL_graph_labels.txt"), "1\n-1\n");
    EXPECT_EQ(read_file(fetched.folder + "/README.txt"), "Two graphs.\n");
  }
  EXPECT_EQ(server.num_requests(), 3);
}

TEST_F(Fetch, TakesChunksRedirectsAndFiles) {
  HttpServer server(
      {{"/SMALL.zip", reply_chunked(small_zip())}, {"/moved/SMALL.zip", reply_redirect("/SMALL.zip")}});
  const TemporaryFolder mirror;
  mirror.write("SMALL.zip", small_zip());
  for (const std::string& address :
       {server.address(), server.address() + "/moved", "file://" + mirror.path()}) {
    const TemporaryFolder target;
    FetchOptions given = options(address);
    given.folder = target.path();
    EXPECT_EQ(fetch_dataset(given).files.size(), 4u);
    EXPECT_EQ(read_file(target.path() + "/SMALL/SMALL_graph_labels.txt"), "1\n-1\n");
  }
}

TEST_F(Fetch, TellsProgressUpToTheWhole) {
  HttpServer server({{"/SMALL.zip", reply_ok(small_zip())}});
  std::uint64_t last_done = 0;
  std::uint64_t last_total = 0;
  fetch_dataset(options(server.address()), [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last_done);
    last_done = done;
    last_total = total;
  });
  EXPECT_EQ(last_done, small_zip().size());
  EXPECT_EQ(last_total, small_zip().size());
}

TEST_F(Fetch, StopsWhenProgressThrows) {
  HttpServer server({{"/SMALL.zip", reply_drip()}});
  EXPECT_THROW(fetch_dataset(options(server.address()), [](auto, auto) { throw std::out_of_range("enough"); }),
               std::out_of_range);
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST_F(Fetch, TakesFilesAtTheTopAndLeavesOutWhatIsNotTheDatasets) {
  std::vector<ArchiveEntry> entries;
  for (const ArchiveEntry& entry : small_tu_dataset("SMALL"))
    if (entry.kind == EntryKind::kFile) entries.push_back({entry.name.substr(6), entry.content});
  entries.push_back({"__MACOSX/._SMALL_A.txt", "x"});
  entries.push_back({"SMALL/.DS_Store", "x"});
  entries.push_back({"SMALL/more/notes.txt", "x"});
  HttpServer server({{"/SMALL.zip", reply_ok(write_archive(entries, Packing::kZip))}});
  const FetchedDataset fetched = fetch_dataset(options(server.address()));
  EXPECT_EQ(fetched.files.size(), 4u);
  EXPECT_EQ(fetched.left_out,
            (std::vector<std::string>{"__MACOSX/._SMALL_A.txt", "SMALL/.DS_Store", "SMALL/more/notes.txt"}));
}

TEST_F(Fetch, RefusesAFileBothInTheFolderAndOutside) {
  auto entries = small_tu_dataset("SMALL");
  entries.push_back({"SMALL_A.txt", "1, 2\n"});
  EXPECT_SAYS(error_of(reply_ok(write_archive(entries, Packing::kZip))), "both in a folder and outside");
}

TEST_F(Fetch, SaysThatTheCollectionHasNoSuchDataset) {
  EXPECT_SAYS(error_of(reply_status("404 Not Found")), "the collection has no dataset SMALL");
  EXPECT_SAYS(error_of(options("file://" + folder.path())), "the collection has no dataset SMALL");
}

TEST_F(Fetch, SaysTheStatusOfTheServer) {
  EXPECT_SAYS(error_of(reply_status("500 Internal Server Error")), "needed HTTP status 200, found 500");
  EXPECT_SAYS(error_of(reply_status("403 Forbidden")), "found 403");
  EXPECT_SAYS(error_of(reply_status("206 Partial Content")), "found 206");
}

TEST_F(Fetch, RefusesATransferThatBreaksOff) {
  const std::string zip = small_zip();
  EXPECT_SAYS(error_of(reply_claiming(zip.size(), zip.substr(0, zip.size() / 2))), "broke off after");
}

TEST_F(Fetch, RefusesAnAnnouncedLengthBeyondTheLimitAtOnce) {
  // Had anything been waited for, the error would be that the transfer broke off.
  EXPECT_SAYS(error_of(reply_claiming(std::uint64_t{1} << 50, "PK")),
              "at most 1.00 MiB (--max-size), found a larger");
}

TEST_F(Fetch, StopsAnEndlessBodyAtTheLimit) {
  EXPECT_SAYS(error_of(reply_endless()), "at most 1.00 MiB (--max-size), found a larger");
}

TEST_F(Fetch, TakesExactlyTheLimit) {
  const std::string zip = small_zip();
  EXPECT_SAYS(error_of(reply_chunked(zip), zip.size() - 1), "--max-size");
  HttpServer server({{"/SMALL.zip", reply_chunked(zip)}});
  FetchOptions given = options(server.address());
  given.max_download = zip.size();
  EXPECT_EQ(fetch_dataset(given).bytes, zip.size());
}

TEST_F(Fetch, GivesUpATransferOf150BytesPerSecond) {
  HttpServer server({{"/SMALL.zip", [](const HttpClient& client) {
                        client.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
                        for (int i = 0; i < 300 && client.send(std::string(15, 'x')) && client.pause(100);) ++i;
                      }}});
  FetchOptions given = options(server.address());
  given.slowest_seconds = 2;  // the rate is the usual one
  EXPECT_SAYS(error_of(given), "fewer than 2000 bytes per second for 2 seconds");
}

TEST_F(Fetch, GivesUpATransferThatDrips) {
  EXPECT_SAYS(error_of(reply_drip()), "fewer than 2000 bytes per second for 1 seconds");
}

TEST_F(Fetch, FollowsNoRedirectToAFile) {
  EXPECT_SAYS(error_of(reply_redirect("file:///etc/passwd")),
              "leads on to an address that is not http or https");
  EXPECT_SAYS(error_of(reply_redirect("ftp://127.0.0.1/SMALL.zip")), "not http or https");
}

TEST_F(Fetch, FollowsNoCircle) { EXPECT_SAYS(error_of(reply_redirect("/SMALL.zip")), "redirects"); }

TEST_F(Fetch, SaysWhenNobodyListens) {
  std::string address;
  { address = HttpServer({}).address(); }
  EXPECT_SAYS(error_of(options(address)), "cannot download " + address + "/SMALL.zip: ");
}

TEST_F(Fetch, RefusesArchivesThatAreNoneOrHostileOrOfAnotherDataset) {
  const std::string zip = small_zip();
  EXPECT_SAYS(error_of(reply_ok("<html>Welcome</html>")), "SMALL.zip: needed a zip or tar archive");
  EXPECT_SAYS(error_of(reply_ok("")), "needed a zip or tar archive, found nothing");
  EXPECT_SAYS(error_of(reply_ok(zip.substr(0, zip.size() - 30))), "cut off");
  EXPECT_SAYS(error_of(reply_ok(write_archive({{"../SMALL_A.txt", ""}}, Packing::kZip))), "'../SMALL_A.txt'");
  EXPECT_SAYS(error_of(reply_ok(write_archive(small_tu_dataset("OTHER"), Packing::kZip))), "SMALL_A.txt");
  EXPECT_SAYS(error_of(reply_ok(write_archive({}, Packing::kZip))), "SMALL_A.txt");
}

TEST_F(Fetch, RefusesADatasetThatCannotBeRead) {
  auto entries = small_tu_dataset("SMALL");
  entries[1].content += "6, 7\n";
  EXPECT_SAYS(error_of(reply_ok(write_archive(entries, Packing::kZip))), "/SMALL.zip/SMALL_A.txt:11: needed ");
}

TEST_F(Fetch, AsksNothingOfTheServerWhereItCannotWrite) {
  HttpServer server({{"/SMALL.zip", reply_ok(small_zip())}});
  FetchOptions given = options(server.address());
  given.folder = folder.path() + "/" + std::string(300, 'x');
  EXPECT_SAYS(error_of(given), "cannot make the folder " + given.folder + ": File name too long");
  folder.write("SMALL/mine.txt", "mine");
  EXPECT_THROW(fetch_dataset(options(server.address())), Error);
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"SMALL"}));
  EXPECT_EQ(read_file(folder.path() + "/SMALL/mine.txt"), "mine");
  EXPECT_EQ(server.num_requests(), 0);
}

TEST_F(Fetch, MakesTheFolderThatIsMissingAndLeavesNoneWhenItFails) {
  HttpServer server({{"/SMALL.zip", reply_ok(small_zip())}});
  FetchOptions given = options(server.address());
  given.name = "OTHER";
  given.folder = folder.path() + "/deep/data";
  EXPECT_SAYS(error_of(given), "no dataset OTHER");  // and that nothing is left
  given.name = "SMALL";
  EXPECT_EQ(fetch_dataset(given).folder, given.folder + "/SMALL");
  EXPECT_EQ(names_in(given.folder), (std::set<std::string>{"SMALL"}));
}

TEST_F(Fetch, RefusesNamesThatAreNone) {
  for (const char* name :
       {"", ".", "..", "../x", "a/b", ".hidden", "a b", "a?b", "a%2e", "a\nb", "\xc3\xa9", "-o"}) {
    FetchOptions given = options("file:///");
    given.name = name;
    EXPECT_THROW(fetch_dataset(given), UsageError) << name;
  }
}

TEST_F(Fetch, RefusesOtherAddresses) {
  for (const char* mirror : {"", "ftp://127.0.0.1", "gopher://127.0.0.1", "scp://127.0.0.1/x", "data", "/tmp",
                             "http://", "dict://127.0.0.1"})
    EXPECT_THROW(fetch_dataset(options(mirror)), UsageError) << mirror;
}

TEST_F(Fetch, ShowsNoPassword) {
  HttpServer server({});
  const std::string secret = "http://me:secret@" + server.address().substr(7);
  const std::string said = error_of(options(secret));
  EXPECT_SAYS(said, server.address() + "/SMALL.zip");
  EXPECT_EQ(said.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace twofold::io
