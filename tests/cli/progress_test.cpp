#include "cli/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/text_width.h"

namespace twofold::cli {
namespace {

// A terminal of 80 columns and a clock that stands until it is moved.
struct Screen {
  std::ostringstream err;
  double now = 100;

  ProgressOptions options(const std::string& unit = "") {
    ProgressOptions out;
    out.label = "MUTAG.zip";
    out.unit = unit;
    out.columns = 80;
    out.clock = [this] { return now; };
    return out;
  }
  // What was written since the last call.
  std::string take() {
    std::string text = err.str();
    err.str("");
    return text;
  }
};

constexpr std::uint64_t kMiB = 1 << 20;

TEST(ProgressLine, ShowsNothingOfShortWork) {
  Screen screen;
  {
    ProgressLine line(screen.err, screen.options());
    const Progress progress = line.progress();
    progress(1, 2);
    screen.now += 1.9;
    progress(2, 2);
  }
  EXPECT_EQ(screen.take(), "");
}

TEST(ProgressLine, ShowsShareAmountRateAndTimeLeftAndClearsInTheEnd) {
  Screen screen;
  {
    ProgressLine line(screen.err, screen.options());
    const Progress progress = line.progress();
    screen.now += 4;
    progress(4 * kMiB, 16 * kMiB);
    EXPECT_EQ(screen.take(),
              "\rMUTAG.zip  25% [####              ] 4.00 MiB of 16.0 MiB, 1.00 MiB/s, 12 s left\x1b[K");
    screen.now += 12;
    progress(16 * kMiB, 16 * kMiB);
    EXPECT_EQ(screen.take(), "\rMUTAG.zip  100% [####################] 16.0 MiB of 16.0 MiB, 1.00 MiB/s\x1b[K");
  }
  EXPECT_EQ(screen.take(), "\r\x1b[K");
}

TEST(ProgressLine, CountsOtherUnits) {
  Screen screen;
  ProgressLine line(screen.err, screen.options("graphs"));
  screen.now += 4;
  line.progress()(10, 40);
  EXPECT_EQ(screen.take(),
            "\rMUTAG.zip  25% [###           ] 10 graphs of 40 graphs, 2.5 graphs/s, 12 s left\x1b[K");
}

TEST(ProgressLine, ShowsAmountAndRateWhereTheWholeIsNotKnown) {
  Screen screen;
  ProgressLine line(screen.err, screen.options());
  screen.now += 2;
  line.progress()(3 * kMiB, 0);
  EXPECT_EQ(screen.take(), "\rMUTAG.zip  3.00 MiB, 1.50 MiB/s\x1b[K");
}

TEST(ProgressLine, DrawsAtMostFiveTimesASecond) {
  Screen screen;
  ProgressLine line(screen.err, screen.options());
  const Progress progress = line.progress();
  int drawn = 0;
  screen.now += 2;
  for (int tick = 0; tick < 1000; ++tick) {
    progress(static_cast<std::uint64_t>(tick), 1000);
    drawn += screen.take().empty() ? 0 : 1;
    screen.now += 1.0 / 1024;
  }
  EXPECT_EQ(drawn, 5);
}

TEST(ProgressLine, IsNeverAsWideAsTheTerminal) {
  for (int columns = 1; columns < 100; ++columns) {
    Screen screen;
    ProgressOptions options = screen.options();
    options.columns = columns;
    ProgressLine line(screen.err, options);
    screen.now += 3;
    line.progress()(kMiB, 3 * kMiB);
    EXPECT_LT(screen.take().size(), static_cast<std::size_t>(columns) + std::string("\r\x1b[K").size());
  }
}

TEST(ProgressLine, CutsALongLabelAndKeepsTheTimeLeft) {
  Screen screen;
  ProgressOptions options = screen.options();
  options.label = "/home/somebody/collections/of/graphs/that/have/long/names/MUTAG.zip";
  ProgressLine line(screen.err, options);
  screen.now += 4;
  line.progress()(4 * kMiB, 16 * kMiB);
  EXPECT_EQ(screen.take(),
            "\r..at/have/long/names/MUTAG.zip  25% 4.00 MiB of 16.0 MiB, 1.00 MiB/s, 12 s left\x1b[K");
}

TEST(ProgressLine, KeepsTheTimeLeftInNarrowWindows) {
  for (int columns = 11; columns < 100; ++columns) {
    Screen screen;
    ProgressOptions options = screen.options();
    options.label = "größere/Sammlungen/MUTAG.zip";
    options.columns = columns;
    ProgressLine line(screen.err, options);
    screen.now += 4;
    line.progress()(4 * kMiB, 16 * kMiB);
    const std::string text = screen.take();
    EXPECT_NE(text.find("12 s left\x1b[K"), std::string::npos) << text;
    EXPECT_LT(text_width(text), static_cast<std::size_t>(columns) + std::string("\r\x1b[K").size());
  }
}

TEST(FitLine, DropsDetailsBeforeTheEnd) {
  const ProgressParts parts = {"3 of 12: GIN on NCI1", {"fold 2/10, epoch 40/1000", "best 72.2"}, "9 s left"};
  EXPECT_EQ(fit_line(parts, 80), "3 of 12: GIN on NCI1: fold 2/10, epoch 40/1000; best 72.2; 9 s left");
  EXPECT_EQ(fit_line(parts, 60), "3 of 12: GIN on NCI1: fold 2/10, epoch 40/1000; 9 s left");
  EXPECT_EQ(fit_line(parts, 52), "3 of 12: GIN o..: fold 2/10, epoch 40/1000; 9 s left");
  EXPECT_EQ(fit_line(parts, 30), "3 of 12: GIN on NCI1: 9 s left");
  EXPECT_EQ(fit_line(parts, 20), "3 of 12:..: 9 s left");
  EXPECT_EQ(fit_line(parts, 9), "9 s left");
  EXPECT_EQ(fit_line(parts, 5), "9 s..");
}

TEST(CutText, TearsNoLetterApart) {
  EXPECT_EQ(cut_end("größer", 5), "grö..");
  EXPECT_EQ(cut_front("größer", 4), "..er");
  EXPECT_EQ(cut_end("größer", 6), "größer");
  EXPECT_EQ(cut_front("größer", 0), "");
}

TEST(ProgressLine, HasNoEstimateBeforeTheFirstItem) {
  Screen screen;
  ProgressLine line(screen.err, screen.options());
  screen.now += 3;
  line.progress()(0, 16 * kMiB);
  EXPECT_EQ(screen.take(), "\rMUTAG.zip  0% [                    ] 0 B of 16.0 MiB, 0 B/s\x1b[K");
}

TEST(ProgressLine, ShowsNothingWhenQuietOrNoTerminal) {
  Screen screen;
  ProgressOptions quiet = screen.options();
  quiet.quiet = true;
  EXPECT_FALSE(ProgressLine(screen.err, quiet).progress());
  ProgressOptions elsewhere = screen.options();
  elsewhere.columns = 0;  // asks: a string is no terminal
  EXPECT_FALSE(ProgressLine(screen.err, elsewhere).progress());
  EXPECT_EQ(screen.take(), "");
}

TEST(FormatDuration, RoundsToWhatMatters) {
  EXPECT_EQ(format_duration(0.2), "0 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(7500), "2 h 05 min");
  EXPECT_EQ(format_duration(5.844e6), "1623 h 20 min");  // a whole table of the paper
  EXPECT_EQ(format_duration(1e300), "1000000 h 00 min");
}

}  // namespace
}  // namespace twofold::cli
