#include "twofold/base/content_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace twofold {
namespace {

using namespace std::string_literals;

TEST(DescribeContent, NamesBinaryFormatsByTheirFirstBytes) {
  EXPECT_EQ(describe_content("\x1f\x8b\x08\x00rest"s), "a gzip-compressed file");
  EXPECT_EQ(describe_content("PK\x03\x04rest"s), "a zip archive");
  EXPECT_EQ(describe_content("\x89PNG\r\n\x1a\n rest"s), "a PNG image");
  EXPECT_EQ(describe_content("\xff\xd8\xff\xe0"s), "a JPEG image");
  EXPECT_EQ(describe_content("%PDF-1.7\n"), "a PDF document");
  EXPECT_EQ(describe_content("\x93NUMPY\x01\x00"s), "a NumPy array (.npy)");
  EXPECT_EQ(describe_content("\x80\x04\x95rest"s), "a Python pickle");
  EXPECT_EQ(describe_content("\x7f"
                             "ELF\x02\x01"s),
            "a program");
  EXPECT_EQ(describe_content(std::string(257, '\0') + "ustar  "), "a tar archive");
  EXPECT_EQ(describe_content("\xff\xfe"
                             "a\0b\0"s),
            "text in UTF-16");
  EXPECT_EQ(describe_content("\x02\0\0\0\0\0\0\0{}"s), "a safetensors file, as twofold's models are");
  EXPECT_EQ(describe_content("\x03\x01\0\0\x05"s), "binary data");
}

TEST(DescribeContent, NamesTextFormatsForGraphs) {
  EXPECT_EQ(describe_content("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n"),
            "a Matrix Market file");
  EXPECT_EQ(describe_content("<?xml version=\"1.0\"?>\n<!-- x -->\n<graphml xmlns=\"\">"), "a GraphML file");
  EXPECT_EQ(describe_content("<?xml version=\"1.0\"?>\n<other/>"), "an XML file");
  EXPECT_EQ(describe_content("c a comment\np edge 3 2\ne 1 2\n"), "a DIMACS graph");
  EXPECT_EQ(describe_content("# Nodes: 3 Edges: 2\n0 1\n1\t2\n"), "an edge list");
  EXPECT_EQ(describe_content("0 1 0.5\n1 2 2e-3\n"), "an edge list");
  EXPECT_EQ(describe_content("graph [\n  node [ id 0 ]\n]\n"), "a GML file");
  EXPECT_EQ(describe_content("Creator \"x\"\ngraph\n[\n"), "a GML file");
  EXPECT_EQ(describe_content("graph G {\n a -- b;\n}"), "a Graphviz (DOT) file");
  EXPECT_EQ(describe_content("strict digraph{a->b}"), "a Graphviz (DOT) file");
  EXPECT_EQ(describe_content("*Vertices 3\n1 \"a\"\n"), "a Pajek file");
  EXPECT_EQ(describe_content("\n  RDKit          2D\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"),
            "a MOL or SDF file");
  EXPECT_EQ(describe_content(">>digraph6<<&C"), "a digraph6 file");
}

TEST(DescribeContent, NamesOtherTextFormats) {
  EXPECT_EQ(describe_content("id,label\n1,0\n2,1\n"), "a CSV table");
  EXPECT_EQ(describe_content("\xef\xbb\xbfid,name\r\n1,\"a,b\"\r\n"), "a CSV table");
  EXPECT_EQ(describe_content("id;label\n1;0\n"), "a CSV table (fields between ;)");
  EXPECT_EQ(describe_content("id\tlabel\n1\tx\n"), "a table of tab-separated values");
  EXPECT_EQ(describe_content("[{\"nodes\": 3}]"), "a JSON array");
  EXPECT_EQ(describe_content("[[0, 1],\n [1, 2]]"), "a JSON array");
  EXPECT_EQ(describe_content("{\n \"a\": 1}"), "a JSON object");
  EXPECT_EQ(describe_content("[model]\nname = 1\n"), "a TOML or INI file");
  EXPECT_EQ(describe_content("<!DOCTYPE html>\n<html>"), "an HTML page");
  EXPECT_EQ(describe_content("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
            "a Git LFS pointer: the file itself was not downloaded");
  EXPECT_EQ(describe_content("#!/bin/sh\n"), "a script");
}

TEST(DescribeContent, CutsALongTableWithinALine) {
  std::string table = "id,label\n";
  while (table.size() < 10000) table += "12345,0\n";
  EXPECT_EQ(describe_content(table), "a CSV table");
}

TEST(DescribeContent, SaysHowUnknownTextStartsWithoutItsControls) {
  EXPECT_EQ(describe_content("hello world\nmore"), "text that starts 'hello world'");
  EXPECT_EQ(describe_content("words, and more"), "text that starts 'words, and more'");
  EXPECT_EQ(describe_content("caf\xc3\xa9"), "text that starts 'caf\\xc3\\xa9'");
  EXPECT_EQ(describe_content("\x1b[31mred"), "binary data");
  EXPECT_EQ(describe_content(""), "an empty file");
  EXPECT_EQ(describe_content(" \n\n"), "blank lines");
  EXPECT_FALSE(is_known_content("hello world"));
  EXPECT_TRUE(is_known_content("a,b\n1,2\n"));
}

TEST(DescribeContent, TakesEveryBeginning) {
  for (int first = 0; first < 256; ++first)
    for (const char* rest : {"", " ", "\n", "\n[", "{", ",\n", " 1", "\x80", "c\n", "\"}"})
      EXPECT_FALSE(describe_content(std::string(1, static_cast<char>(first)) + rest).empty());
}

}  // namespace
}  // namespace twofold
