#include "twofold/io/npy.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph6.h"

namespace twofold::io {
namespace {

// As numpy.save writes it.
std::string npy(const std::string& type, const std::string& shape, const std::string& values, int version = 1,
                const std::string& fortran = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < before - 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + values;
}

std::string wide(const std::string& text, bool big_endian = false) {
  std::string result;
  for (const char letter : text)
    result += big_endian ? std::string(3, '\0') + letter : letter + std::string(3, '\0');
  return result;
}

std::string error_of(const std::string& file) {
  try {
    read_npy_lines(file, "x.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, GivesOneLinePerStringInTheOrderOfTheArray) {
  EXPECT_EQ(read_npy_lines(npy("|S4", "(2,)", "EhEGEwCW"), "x"), "EhEG\nEwCW\n");
  EXPECT_EQ(read_npy_lines(npy("S6", "(1, 2)", std::string("Bw\0\0\0\0EhEG\n\0", 12), 2), "x"), "Bw\nEhEG\n");
  EXPECT_EQ(read_npy_lines(npy("<U4", "(2, 1)", wide("EhEGEwCW"), 3), "x"), "EhEG\nEwCW\n");
  EXPECT_EQ(read_npy_lines(npy(">U2", "()", wide("Bw", true)), "x"), "Bw\n");
  EXPECT_EQ(read_npy_lines(npy("|S12", "(1,)", ">>graph6<<Bw", 1, "True"), "x"), "Bw\n");
  EXPECT_EQ(read_npy_lines(npy("|S12", "(0,)", ""), "x"), "");
}

TEST(Npy, IsReadAsADataset) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("basic.npy", npy("|S4", "(2,)", "EhEGEwCW"));
  const Dataset dataset = read_dataset(path);
  EXPECT_EQ(dataset.name, "basic");
  ASSERT_EQ(dataset.graphs.size(), 2u);
  EXPECT_EQ(to_graph6(dataset.graphs[1]), "EwCW");
}

TEST(Npy, NamesWhatItNeedsAndFinds) {
  EXPECT_NE(error_of(npy("|O", "(2,)", "xx")).find("found Python objects, which are not read"),
            std::string::npos);
  EXPECT_NE(error_of(npy("<f8", "(1,)", "12345678")).find("found values of type '<f8'"), std::string::npos);
  EXPECT_NE(
      error_of(npy("|S4", "(3,)", "EhEGEwCW")).find("needed 12 bytes of strings, as the header says, found 8"),
      std::string::npos);
  EXPECT_NE(error_of(npy("|S2", "(2, 2)", "BwBwBwBw", 1, "True")).find("Fortran order"), std::string::npos);
  EXPECT_NE(error_of(npy("|S0", "(1099511627776,)", "")).find("1 to 2^20 letters, found 0"), std::string::npos);
  EXPECT_NE(error_of(npy("|S9", "(9999999, 9999999, 9999999)", "")).find("fewer than 2^40"), std::string::npos);
  EXPECT_NE(
      error_of(npy("|S2", "(2,)", std::string("Bw\0\0", 4))).find("x.npy:2: needed one graph, found an empty"),
      std::string::npos);
  EXPECT_NE(error_of(npy("<U1", "(1,)", std::string("B\1\0\0", 4))).find("needed ASCII letters"),
            std::string::npos);
  EXPECT_NE(error_of(std::string("\x93NUMPY\x09\0\0\0", 10)).find("found version 9"), std::string::npos);
  EXPECT_NE(error_of("hello").find("needed a .npy file"), std::string::npos);
}

TEST(Npy, EveryShortenedFileIsAnError) {
  const std::string file = npy("<U4", "(2, 1)", wide("EhEGEwCW"), 3);
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW(read_npy_lines(file.substr(0, size), "x"), InputError) << size;
}

}  // namespace
}  // namespace twofold::io
