#include "twofold/io/csv_table.h"

#include <gtest/gtest.h>

#include "twofold/base/error.h"

namespace twofold::io {
namespace {

using Cells = std::vector<std::string>;

std::string said(const std::string& text) {
  try {
    read_csv(text, "t.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CsvTable, ReadsQuotesMarksAndBothLineEnds) {
  const CsvTable table =
      read_csv("\xEF\xBB\xBFname, y \r\n\"a,b\",1\r\n\n\"say \"\"no\"\"\nnow\",2\nlast,", "t.csv");
  EXPECT_EQ(table.header, (Cells{"name", "y"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (Cells{"a,b", "1"}));
  EXPECT_EQ(table.rows[1], (Cells{"say \"no\"\nnow", "2"}));
  EXPECT_EQ(table.rows[2], (Cells{"last", ""}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 4, 6}));
}

TEST(CsvTable, TheHeaderTellsTheSeparator) {
  EXPECT_EQ(read_csv("a;b;c\n1,5;2;3\n", "t").rows[0], (Cells{"1,5", "2", "3"}));
  EXPECT_EQ(read_csv("a\tb\n1\t2\n", "t").rows[0], (Cells{"1", "2"}));
  EXPECT_EQ(read_csv("a\n1\n", "t").rows[0], (Cells{"1"}));
}

TEST(CsvTable, FindsColumnsInAnyCaseTheExactNameFirst) {
  const CsvTable table = read_csv("smiles,SMILES,y\nC,CC,1\n", "t");
  EXPECT_EQ(table.find("SMILES"), 1u);
  EXPECT_EQ(table.find("Smiles"), 0u);
  EXPECT_EQ(table.find("z"), 3u);
}

TEST(CsvTable, NamesTheLineThatIsWrong) {
  EXPECT_EQ(said("a,b\n1,2\n3\n"), "t.csv:3: needed 2 cells, as in the header, found 1");
  EXPECT_EQ(said("a,b\n1,\"2\n3\n"), "t.csv:2: needed a closing quote, found the end of the file");
  EXPECT_EQ(said("a,b\n\"1\"x,2\n"),
            "t.csv:2: needed a separator or the end of the line after a cell, found 'x'");
  EXPECT_EQ(said("a,a\n1,2\n"), "t.csv:1: needed each column's name once, found 'a' twice");
  EXPECT_EQ(said("a,\n1,2\n"), "t.csv:1: needed a name for every column, found none for column 2");
  EXPECT_EQ(said("a,b\n\xff,2\n"), "t.csv:2: needed text in UTF-8, found \\xff");
  EXPECT_EQ(said("\n\n"), "t.csv: needed a header with the names of the columns, found none");
}

}  // namespace
}  // namespace twofold::io
