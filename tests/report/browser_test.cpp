#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/browser.h"
#include "tests/support/run_writer.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"
#include "twofold/graph/generate.h"
#include "twofold/report/coloring_drawing.h"
#include "twofold/report/run_report.h"

namespace twofold::report {
namespace {

using namespace twofold::testing;

// Every hostile name as a learner, many learners, and a wide drawing: the widest page there is.
std::string hostile_page() {
  const TemporaryFolder place;
  double score = 60;
  for (const std::string& name : hostile_names()) {
    WrittenRun run;
    run.name = name;
    std::replace(run.name.begin(), run.name.end(), '/', '|');
    run.model = run.preset = name;
    run.tests = {score, score + 2, score + 1, score + 3};
    score += 2;
    write_run(place, run);
  }
  place.write("damaged/run.json", "no JSON");
  Page page = make_run_report(read_run_views({place.path()}),
                              {hostile_names()[0], "twofold report runs -o page.html", "twofold"});
  const Graph graph = graph::cycle_graph(12);
  DrawnPanel panel = {"round <0>", &graph, std::vector<std::uint32_t>(12, 3), {}};
  page.drawing([&] { return draw_panels({panel, panel, panel, panel}, 4); }, {"A cycle.", ""});
  return page.html();
}

TEST(BrowserPage, FitsEveryWidthAndAsksForNothing) {
  if (!has_browser()) GTEST_SKIP() << kNeedsBrowser;
  const std::string html = hostile_page();
  for (const bool dark : {false, true}) {
    const std::vector<SeenPage> pages = look_at_page(html, {390, 768, 1440}, dark);
    for (const SeenPage& page : pages) {
      SCOPED_TRACE(page.width);
      EXPECT_LE(page.scroll_width, page.width);
      for (const std::string& element : page.overflowing) ADD_FAILURE() << "sticks out: " << element;
      for (const std::string& text : page.pale) ADD_FAILURE() << "too pale: " << text;
      for (const std::string& error : page.errors) ADD_FAILURE() << error;
      EXPECT_EQ(page.num_scripts, 0);
      EXPECT_EQ(page.is_dark, dark);
      EXPECT_EQ(page.background, dark ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
      EXPECT_EQ(page.heading, hostile_names()[0]);
      // The reader sees the names as they are, in tables and plots.
      for (const std::string& name : hostile_names())
        EXPECT_NE(page.text.find(name), std::string::npos) << name;
    }
  }
}

TEST(BrowserPage, HasAQuietConsoleAndPrints) {
  if (!has_browser()) GTEST_SKIP() << kNeedsBrowser;
  const TemporaryFolder folder;
  const std::string path = folder.write("page.html", hostile_page());
  EXPECT_EQ(console_of_page(path), "");
  const std::string pdf = print_page(path);
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_GT(pdf.size(), 20000u);
}

TEST(BrowserPage, ProbeSeesWhatIsWrong) {
  if (!has_browser()) GTEST_SKIP() << kNeedsBrowser;
  // The probe itself is tried on a page that has every fault.
  const std::vector<SeenPage> pages = look_at_page(
      "<!DOCTYPE html><html><head><title>x</title></head><body><h1 "
      "style=\"color:#ccc;background:#fff\">pale</h1>"
      "<div style=\"width:600px\">wide</div><script>throw 'oh'</script></body></html>",
      {390}, false);
  EXPECT_GT(pages[0].scroll_width, 390);
  EXPECT_FALSE(pages[0].overflowing.empty());
  EXPECT_FALSE(pages[0].pale.empty());
  EXPECT_EQ(pages[0].num_scripts, 1);
  EXPECT_FALSE(pages[0].errors.empty());
  // The policy of our pages turns any request into words on the console.
  const TemporaryFolder folder;
  Page page("x", "");
  std::string html = page.html();
  html.insert(html.find("</main>"), "<img src=\"http://127.0.0.1:9/x.png\">");
  EXPECT_NE(console_of_page(folder.write("page.html", html)), "");
}

}  // namespace
}  // namespace twofold::report
