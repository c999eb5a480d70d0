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
  EXPECT_NE(error_of(npy("|O", "(2,)", "xx")).find("found 0x78 at byte 0 in the pickled array"),
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

// As numpy.save writes arrays of objects (pickles of protocol 2, 3 and 4).
TEST(Npy, ReadsStringsThatArePythonObjects) {
  EXPECT_EQ(
      read_npy_lines(
          npy("|O", "(2,)",
              std::string(
                  "\x80\x02"
                  "cnumpy.core.multiarray\x0a_reconstruct\x0aq\x00"
                  "cnumpy\x0andarray\x0aq\x01K\x00\x85q\x02"
                  "c_codecs\x0a"
                  "encode\x0aq\x03X\x01\x00\x00\x00"
                  "bq\x04X\x06\x00\x00\x00latin1q\x05\x86q\x06Rq\x07\x87q\x08Rq\x09(K\x01K\x02\x85q\x0a"
                  "cnumpy\x0a"
                  "dtype\x0aq\x0bX\x02\x00\x00\x00O8q\x0c\x89\x88\x87q\x0dRq\x0e(K\x03X\x01\x00\x00\x00|"
                  "q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftq\x10"
                  "b\x89]q\x11(h\x03X\x04\x00\x00\x00"
                  "EhEGq\x12h\x05\x86q\x13Rq\x14h\x03X\x0d\x00\x00\x00>>graph6<<Bw\x0aq\x15h\x05\x86q\x16Rq\x17"
                  "etq\x18"
                  "b.",
                  245)),
          "x"),
      "EhEG\nBw\n");
  EXPECT_EQ(read_npy_lines(
                npy("|O", "(2,)",
                    std::string("\x80\x03"
                                "cnumpy.core.multiarray\x0a_reconstruct\x0aq\x00"
                                "cnumpy\x0andarray\x0aq\x01K\x00\x85q\x02"
                                "C\x01"
                                "bq\x03\x87q\x04Rq\x05(K\x01K\x02\x85q\x06"
                                "cnumpy\x0a"
                                "dtype\x0aq\x07X\x02\x00\x00\x00O8q\x08\x89\x88\x87q\x09Rq\x0a("
                                "K\x03X\x01\x00\x00\x00|q\x0bNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftq\x0c"
                                "b\x89]q\x0d(C\x04"
                                "EhEGq\x0e"
                                "C\x0d>>graph6<<Bw\x0aq\x0f"
                                "etq\x10"
                                "b.",
                                179)),
                "x"),
            "EhEG\nBw\n");
  EXPECT_EQ(read_npy_lines(
                npy("|O", "(2,)",
                    std::string(
                        "\x80\x04\x95\xa0\x00\x00\x00\x00\x00\x00\x00\x8c\x15numpy.core.multiarray\x94\x8c\x0c_"
                        "reconstruct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94"
                        "C\x01"
                        "b\x94\x87\x94R\x94(K\x01K\x02\x85\x94h\x03\x8c\x05"
                        "dtype\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|"
                        "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ft\x94"
                        "b\x89]\x94(C\x04"
                        "EhEG\x94"
                        "C\x0d>>graph6<<Bw\x0a\x94"
                        "et\x94"
                        "b.",
                        171)),
                "x"),
            "EhEG\nBw\n");
  const std::string tuples(
      "\x80\x04\x95\xa4\x00\x00\x00\x00\x00\x00\x00\x8c\x15numpy.core.multiarray\x94\x8c\x0c_"
      "reconstruct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94"
      "C\x01"
      "b\x94\x87\x94R\x94(K\x01K\x02\x85\x94h\x03\x8c\x05"
      "dtype\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|"
      "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ft\x94"
      "b\x89]\x94(\x8c\x04"
      "EhEG\x94\x8c\x04"
      "EwCW\x94\x86\x94]\x94(\x8c\x02"
      "Bw\x94h\x17"
      "eet\x94"
      "b.",
      175);
  EXPECT_EQ(read_npy_lines(npy("|O", "(2,)", tuples), "x"), "EhEG\nEwCW\nBw\nBw\n");
  EXPECT_NE(error_of(npy("|O", "(3,)", tuples)).find("needed 3 strings, as the header says, found 2"),
            std::string::npos);
  for (std::size_t size = 0; size < tuples.size(); ++size)
    EXPECT_THROW(read_npy_lines(npy("|O", "(2,)", tuples.substr(0, size)), "x"), InputError) << size;
}

TEST(Npy, ExecutesNothing) {
  const auto refused = [](const std::string& pickle) { return error_of(npy("|O", "(1,)", pickle)); };
  EXPECT_NE(refused("cposix\nsystem\n(X\x02" + std::string(3, '\0') + "lstR.").find("another kind ('system')"),
            std::string::npos);
  EXPECT_NE(refused("}.").find("found 0x7d at byte 0 in the pickled array"), std::string::npos);
  EXPECT_NE(refused("N.").find("needed an array of strings, found something else"), std::string::npos);
  EXPECT_NE(refused(".").find("needed values, found none"), std::string::npos);
  EXPECT_NE(refused("h\x07.").find("needed a value that was kept, found none"), std::string::npos);
  EXPECT_NE(refused("]N\x85R.").find("needed a name and what it is called with"), std::string::npos);
  EXPECT_NE(refused("\x8d" + std::string(8, '\xff') + ".").find("found a shortened one"), std::string::npos);
  // An array whose list has itself in it, and one with a string many times.
  const std::string start = "cnumpy.core.multiarray\n_reconstruct\n)R(NNNN";
  EXPECT_NE(refused(start + "]q\x01h\x01"
                            "atb.")
                .find("lists within lists"),
            std::string::npos);
  std::string many = start + "](C\xff" + std::string(255, 'B') + "q\x01";
  for (int i = 0; i < 10000; ++i) many += "h\x01";
  EXPECT_NE(error_of(npy("|O", "(10001,)", many + "etb.")).find("needed each string once"), std::string::npos);
}

TEST(Npy, EveryShortenedFileIsAnError) {
  const std::string file = npy("<U4", "(2, 1)", wide("EhEGEwCW"), 3);
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW(read_npy_lines(file.substr(0, size), "x"), InputError) << size;
}

}  // namespace
}  // namespace twofold::io
