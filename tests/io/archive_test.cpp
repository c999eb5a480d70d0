#include "twofold/io/archive.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/archive_writer.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::io {
namespace {

using twofold::testing::ArchiveEntry;
using twofold::testing::EntryKind;
using twofold::testing::Packing;
using twofold::testing::small_tu_dataset;
using twofold::testing::sound_packings;
using twofold::testing::write_archive;

// The text of the InputError that unpacking throws; empty if it does not throw.
std::string error_of(const std::string& bytes, const ArchiveLimits& limits = {}) {
  try {
    unpack_archive(bytes, "A.zip", limits);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

void expect_refused(const std::string& bytes, const std::string& part, const ArchiveLimits& limits = {}) {
  const std::string error = error_of(bytes, limits);
  EXPECT_EQ(error.rfind("A.zip: needed ", 0), 0u) << error;
  EXPECT_NE(error.find(", found "), std::string::npos) << error;
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

// Bytes that do not compress, and need more than one read.
std::string noise(std::size_t size) {
  Random random(7);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random.below(256));
  return out;
}

TEST(UnpackArchive, GivesTheFilesOfEveryPackingInOrder) {
  const std::string large = noise(700'001);
  for (const Packing packing : sound_packings()) {
    const auto files = unpack_archive(
        write_archive({{"d/", "", EntryKind::kFolder}, {"d/b.txt", "b"}, {"./a", large}, {"empty", ""}},
                      packing),
        "A");
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].name, "d/b.txt");
    EXPECT_EQ(files[0].bytes, "b");
    EXPECT_EQ(files[1].name, "a");
    EXPECT_EQ(files[1].bytes, large);
    EXPECT_EQ(files[2].name, "empty");
    EXPECT_EQ(files[2].bytes, "");
  }
}

TEST(UnpackArchive, GivesNothingForAnArchiveOfNoFiles) {
  EXPECT_TRUE(unpack_archive(write_archive({}, Packing::kZip), "A").empty());
  EXPECT_TRUE(unpack_archive(write_archive({{"d/", "", EntryKind::kFolder}}, Packing::kTarXz), "A").empty());
}

TEST(UnpackArchive, ReadsGzipOfSeveralMembers) {
  const std::string tar = write_archive({{"a", noise(5000)}}, Packing::kTar);
  const std::string members = twofold::testing::compress(tar.substr(0, 1000), Packing::kTarGzip) +
                              twofold::testing::compress(tar.substr(1000), Packing::kTarGzip);
  const auto files = unpack_archive(members, "A");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].bytes, noise(5000));
}

TEST(UnpackArchive, RefusesNamesThatLeadOut) {
  for (const Packing packing : {Packing::kZip, Packing::kTar}) {
    for (const char* name : {"../x", "a/../../x", "a/..", "..", "a/../b"})
      expect_refused(write_archive({{name, "x"}}, packing), "stay within the archive");
    expect_refused(write_archive({{"/abs", "x"}}, packing), "'/abs'");
    expect_refused(write_archive({{"a\nb", "x"}}, packing), "'a\\x0ab'");
    expect_refused(write_archive({{"../d/", "", EntryKind::kFolder}}, packing), "stay within the archive");
  }
  // In a zip libarchive may make slashes of them; either way the name does not lead out.
  expect_refused(write_archive({{"..\\x", "x"}}, Packing::kTar), "backslashes");
  expect_refused(write_archive({{"..\\x", "x"}}, Packing::kZip), "'..");
}

TEST(UnpackArchive, RefusesLinksAndDevices) {
  for (const Packing packing : {Packing::kZip, Packing::kTar})
    expect_refused(write_archive({{"d", "/etc", EntryKind::kSymbolicLink}, {"d/passwd", "x"}}, packing),
                   "the symbolic link 'd'");
  expect_refused(write_archive({{"a", "x"}, {"b", "a", EntryKind::kHardLink}}, Packing::kTar),
                 "the hard link 'b'");
  expect_refused(write_archive({{"p", "", EntryKind::kPipe}}, Packing::kTar), "pipe 'p'");
}

TEST(UnpackArchive, RefusesANameThatComesTwice) {
  for (const Packing packing : sound_packings()) {
    expect_refused(write_archive({{"a", "x"}, {"a", "y"}}, packing), "'a' twice");
    expect_refused(write_archive({{"d/a", "x"}, {"./d//a", "y"}}, packing), "'d/a' twice");
  }
}

TEST(UnpackArchive, RefusesEncryptedFiles) {
  expect_refused(write_archive({{"a", "x"}}, Packing::kEncryptedZip), "the encrypted file 'a'");
}

TEST(UnpackArchive, StopsABombOfZeros) {
  // 48 MiB of zeros: deflate makes about 48 KiB of them, bzip2 under 100 bytes.
  const std::string zeros(std::size_t{48} << 20, '\0');
  ArchiveLimits by_size;
  by_size.max_bytes = std::uint64_t{20} << 20;
  by_size.always_allowed_bytes = std::uint64_t{40} << 20;
  for (const Packing packing : {Packing::kZip, Packing::kTarGzip, Packing::kTarBzip2, Packing::kTarXz}) {
    const std::string bomb = write_archive({{"zeros", zeros}}, packing);
    ASSERT_LT(bomb.size(), 100'000u);
    expect_refused(bomb, "bomb");
    expect_refused(bomb, "at most 20.0 MiB unpacked", by_size);
  }
}

TEST(UnpackArchive, AllowsAnyRatioOfLittle) {
  const auto files = unpack_archive(
      write_archive({{"zeros", std::string(std::size_t{8} << 20, '\0')}}, Packing::kTarBzip2), "A");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].bytes.size(), std::size_t{8} << 20);
}

TEST(UnpackArchive, CountsTheBytesOfAllFilesTogether) {
  ArchiveLimits limits;
  limits.max_bytes = 1000;
  const std::vector<ArchiveEntry> entries = {{"a", noise(400)}, {"b", noise(400)}, {"c", noise(200)}};
  EXPECT_EQ(error_of(write_archive(entries, Packing::kZip), limits), "");
  limits.max_bytes = 999;
  expect_refused(write_archive(entries, Packing::kZip), "at most 999 B", limits);
}

TEST(UnpackArchive, StopsAtTooManyEntries) {
  std::vector<ArchiveEntry> entries;
  for (int i = 0; i < 11; ++i) entries.push_back({std::to_string(i), ""});
  ArchiveLimits limits;
  limits.max_entries = 11;
  EXPECT_EQ(error_of(write_archive(entries, Packing::kZip), limits), "");
  limits.max_entries = 10;
  for (const Packing packing : {Packing::kZip, Packing::kTarGzip})
    expect_refused(write_archive(entries, packing), "at most 10 entries", limits);
}

TEST(UnpackArchive, RefusesWhatIsCutOffAnywhere) {
  std::vector<ArchiveEntry> entries = small_tu_dataset("SMALL");
  entries.push_back({"SMALL/noise", noise(3000)});
  entries.push_back({"SMALL/zeros", std::string(1024, '\0')});  // looks like the end of a tar
  for (const Packing packing : sound_packings()) {
    const std::string whole = write_archive(entries, packing);
    ASSERT_EQ(error_of(whole), "");
    for (std::size_t sixteenth = 0; sixteenth < 16; ++sixteenth)
      expect_refused(whole.substr(0, whole.size() * sixteenth / 16), "");
    // A tar is padded with zeros behind its end, so there nothing is missing; compressed, its checksum is.
    if (packing != Packing::kTar) expect_refused(whole.substr(0, whole.size() - 1), "");
  }
}

TEST(UnpackArchive, RefusesATarCutOffBetweenTwoFiles) {
  const std::string tar =
      write_archive({{"a", std::string(512, 'a')}, {"b", std::string(512, '\0')}}, Packing::kTar);
  expect_refused(tar.substr(0, 2 * 512), "no block of zeros");
  expect_refused(tar.substr(0, 4 * 512), "no block of zeros");
  EXPECT_EQ(error_of(tar.substr(0, 5 * 512)), "");
}

TEST(UnpackArchive, RefusesAFileWithAFlippedBit) {
  const std::string content = noise(4000);
  for (const Packing packing : sound_packings()) {
    if (packing == Packing::kTar || packing == Packing::kTarZstd)
      continue;  // they may have no checksum of content
    std::string bytes = write_archive({{"a", content}}, packing);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
    expect_refused(bytes, "");
  }
}

TEST(UnpackArchive, SurvivesAnyFlippedByte) {
  for (const Packing packing : sound_packings()) {
    const std::string whole = write_archive(small_tu_dataset("SMALL"), packing);
    const std::size_t step = whole.size() / 400 + 1;
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(~bytes[at]);
      const std::string error = error_of(bytes);  // anything but an InputError fails the test
      EXPECT_TRUE(error.empty() || error.rfind("A.zip: needed ", 0) == 0) << error;
    }
  }
}

TEST(UnpackArchive, RefusesWhatIsNoArchive) {
  expect_refused("", "found nothing");
  expect_refused("1, 2\n2, 1\n", "a zip or tar archive, found '1, 2\\x0a2, '");
  expect_refused(noise(2000), "");
  expect_refused("PK\x03\x04" + noise(2000), "list of contents");
  expect_refused(twofold::testing::compress("plain text", Packing::kTarGzip), "found 'plain te'");
  expect_refused(twofold::testing::compress("", Packing::kTarGzip), "found nothing");
}

TEST(UnpackArchive, RefusesCompressionWithinCompression) {
  const std::string tar = write_archive({{"a", "x"}}, Packing::kTar);
  for (const Packing inner : {Packing::kTarGzip, Packing::kTarXz})
    for (const Packing outer : {Packing::kTarGzip, Packing::kTarXz, Packing::kTarBzip2, Packing::kTarZstd})
      expect_refused(twofold::testing::compress(twofold::testing::compress(tar, inner), outer), "compressed");
}

TEST(UnpackArchive, GivesTheSameOnSeveralThreads) {
  const std::string bytes = write_archive(small_tu_dataset("SMALL"), Packing::kTarXz);
  const auto expected = unpack_archive(bytes, "A");
  std::vector<int> equal(4, 0);
  std::vector<std::thread> threads;
  for (int& count : equal)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        const auto files = unpack_archive(bytes, "A");
        bool same = files.size() == expected.size();
        for (std::size_t i = 0; same && i < files.size(); ++i)
          same = files[i].name == expected[i].name && files[i].bytes == expected[i].bytes;
        count += same;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int count : equal) EXPECT_EQ(count, 50);
}

TEST(LooksLikeArchive, KnowsEveryPacking) {
  for (const Packing packing : sound_packings())
    EXPECT_TRUE(looks_like_archive(write_archive({{"a", "x"}}, packing)));
  EXPECT_TRUE(looks_like_archive(write_archive({}, Packing::kZip)));
}

TEST(LooksLikeArchive, LeavesTextsAlone) {
  EXPECT_FALSE(looks_like_archive(""));
  EXPECT_FALSE(looks_like_archive("BZh9"));    // graph6 bytes all
  EXPECT_FALSE(looks_like_archive(":Fa@x^"));  // sparse6
  EXPECT_FALSE(looks_like_archive("{\"nodes\":1}\n"));
  std::string text(1000, ' ');
  text.replace(257, 5, "ustar");
  EXPECT_FALSE(looks_like_archive(text));
}

}  // namespace
}  // namespace twofold::io
