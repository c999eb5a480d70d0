#include "cli/evaluate_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/temporary_folder.h"

namespace twofold::cli {
namespace {

using eval::WorkEvent;
using Kind = eval::WorkEvent::Kind;

// 2 folds, 3 configurations, 2 final runs: ten tasks, the first three of them selections of the first fold.
eval::Plan small_plan() {
  eval::Plan plan;
  plan.dataset = "MUTAG";
  plan.model = "gin";
  plan.repeats = 2;
  plan.grid = {{{"lr", 1}}, {{"lr", 2}}, {{"lr", 3}}};
  plan.splits.resize(2);
  return plan;
}

struct Screen {
  std::ostringstream err;
  double now = 100;
  eval::Plan plan = small_plan();

  EvaluateViewOptions options(int columns) {
    EvaluateViewOptions out;
    out.label = "gin on MUTAG";
    out.columns = columns;
    out.clock = [this] { return now; };
    return out;
  }
  std::string take() {
    std::string text = err.str();
    err.str("");
    if (text.rfind('\r', 0) == 0) text.erase(0, 1);
    return text.substr(0, text.find("\x1b[K"));
  }
};

WorkEvent event(Kind kind, std::size_t task, std::uint64_t done = 0, std::uint64_t total = 0) {
  WorkEvent event;
  event.kind = kind;
  event.task = task;
  event.done = done;
  event.total = total;
  return event;
}

TEST(EvaluateView, TellsTheTimeLeftBeforeTheFirstTaskEnds) {
  Screen screen;
  EvaluateView view(screen.err, screen.plan, screen.options(200));
  view.on_event(event(Kind::kStarted, 0));
  screen.now += 5;
  view.on_event(event(Kind::kProgress, 0, 0, 100));
  EXPECT_EQ(screen.take(),
            "gin on MUTAG: fold 1/2, epoch 0/100; configuration 1/3; 0 of 10 tasks, estimating the time left");
  screen.now += 5;
  view.on_event(event(Kind::kProgress, 0, 50, 100));
  // 20 s for each task: 10 s of this one and nine others.
  EXPECT_EQ(screen.take(),
            "gin on MUTAG: fold 1/2, epoch 50/100; configuration 1/3; 0 of 10 tasks, at most 3 min 10 s left");
}

TEST(EvaluateView, TakesWhatFinishedTasksTookOnceThereAreAny) {
  Screen screen;
  EvaluateView view(screen.err, screen.plan, screen.options(200));
  view.on_event(event(Kind::kStarted, 0));
  WorkEvent end = event(Kind::kFinished, 0);
  end.seconds = 8;
  end.score = 72.5;
  screen.now += 8;
  view.on_event(end);
  EXPECT_EQ(screen.take(),
            "gin on MUTAG: best validation accuracy of fold 1: 72.50; 1 of 10 tasks, 1 min 12 s left");
  view.on_event(event(Kind::kStarted, 8));
  screen.now += 2;
  view.on_tick();
  EXPECT_EQ(screen.take(), "gin on MUTAG: fold 2/2; final run 1/2; 1 of 10 tasks, 1 min 10 s left");
}

TEST(EvaluateView, KnowsHowLongItTakesWhenARunIsResumed) {
  const testing::TemporaryFolder place;
  place.write("tasks/select-f00-c000.json", "{}");
  place.write("timing/select-f00-c000.json", R"({"seconds": 3.0})");
  place.write("tasks/final-f00-r1.json", "{}");
  place.write("timing/final-f00-r1.json", "torn");
  place.write("timing/select-f00-c001.json", R"({"seconds": 99.0})");  // its task was not written
  Screen screen;
  EvaluateViewOptions options = screen.options(200);
  options.finished = 2;
  read_task_times(screen.plan, eval::RunFolder(place.path()), options.selections, options.finals);
  EvaluateView view(screen.err, screen.plan, options);
  screen.now += 3;
  view.on_tick();
  EXPECT_EQ(screen.take(), "gin on MUTAG: 2 of 10 tasks, 24 s left");
}

TEST(EvaluateView, KeepsTasksAndTimeLeftAtEightyColumns) {
  Screen screen;
  EvaluateViewOptions options = screen.options(80);
  EvaluateView view(screen.err, screen.plan, options);
  view.on_event(event(Kind::kStarted, 0));
  screen.now += 10;
  view.on_event(event(Kind::kProgress, 0, 50, 100));
  EXPECT_EQ(screen.take(), "gin on MUTAG: fold 1/2, epoch 50/100; 0 of 10 tasks, at most 3 min 10 s left");
}

TEST(EvaluateView, NamesTheLearnerOfAReproduction) {
  Screen screen;
  EvaluateViewOptions options = screen.options(80);
  options.label = "3 of 12: 2-WL-GNN with weighted mean pooling on REDDIT-BINARY";
  options.jobs = 2;
  EvaluateView view(screen.err, screen.plan, options);
  view.on_event(event(Kind::kStarted, 0));
  view.on_event(event(Kind::kStarted, 1));
  screen.now += 10;
  view.on_event(event(Kind::kProgress, 0, 50, 100));
  EXPECT_EQ(screen.take(), "3 of 12: 2-WL-GNN with weighted mean ..: 0 of 10 tasks, at most 1 min 30 s left");
}

TEST(EvaluateView, CountsTheTasksOfItsShardAlone) {
  Screen screen;
  EvaluateViewOptions options = screen.options(200);
  options.shard = {2, 2};
  EvaluateView view(screen.err, screen.plan, options);
  view.on_event(event(Kind::kStarted, 5));
  screen.now += 10;
  view.on_event(event(Kind::kProgress, 5, 50, 100));
  // 20 s for each task: 10 s of this one and four others of fold 2.
  EXPECT_EQ(screen.take(),
            "gin on MUTAG: fold 2/2, epoch 50/100; configuration 1/3; 0 of 5 tasks of shard 2/2, "
            "at most 1 min 30 s left");
}

TEST(EvaluateView, TakesASparedTaskNeitherForQuickNorForBad) {
  Screen screen;
  EvaluateView view(screen.err, screen.plan, screen.options(200));
  WorkEvent spared = event(Kind::kFinished, 1);
  spared.score = std::nan("");
  view.on_event(spared);
  WorkEvent end = event(Kind::kFinished, 5);
  end.seconds = 8;
  end.score = 72.5;
  view.on_event(end);
  spared.task = 6;
  screen.now += 8;
  view.on_event(spared);
  EXPECT_EQ(screen.take(), "gin on MUTAG: best validation accuracy of fold 2: 72.50; 3 of 10 tasks, 56 s left");
}

TEST(EvaluateView, ShowsNothingWhenQuiet) {
  Screen screen;
  EvaluateViewOptions options = screen.options(80);
  options.quiet = true;
  {
    EvaluateView view(screen.err, screen.plan, options);
    screen.now += 100;
    view.on_event(event(Kind::kStarted, 0));
  }
  EXPECT_EQ(screen.err.str(), "");
}

}  // namespace
}  // namespace twofold::cli
