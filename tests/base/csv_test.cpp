#include "twofold/base/csv.h"

#include <gtest/gtest.h>

namespace twofold {
namespace {

TEST(CsvCell, QuotesWhatWouldEndIt) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
}

TEST(CsvCell, IsNoFormulaToASpreadsheet) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(csv_cell("-2+3"), "'-2+3");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(csv_cell(" =1"), "' =1");
  EXPECT_EQ(csv_cell("＝1"), "'＝1");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
}

TEST(CsvCell, LeavesNumbersAlone) {
  for (const char* number : {"-1", "+1", "-2.5e-3", "0", "-1e999"}) EXPECT_EQ(csv_cell(number), number);
}

}  // namespace
}  // namespace twofold
