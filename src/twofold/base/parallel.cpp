#include "twofold/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "twofold/base/denormals.h"
#include "twofold/base/interrupt.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace twofold {
namespace {

// Calls work(0 … team - 1), each on a thread of its own; work(0) alone within another such call.
#if defined(_OPENMP)
void run_team(int team, const std::function<void(int)>& work) {
  if (team <= 1 || omp_in_parallel()) return work(0);
#pragma omp parallel num_threads(team)
  work(omp_get_thread_num());
}
#elif defined(__SANITIZE_THREAD__)
// ThreadSanitizer does not see how OpenMP's threads wait for each other and would call every result of theirs a
// race.
void run_team(int team, const std::function<void(int)>& work) {
  thread_local bool is_in_team = false;
  if (team <= 1 || is_in_team) return work(0);
  const auto work_in_team = [&](int worker) {
    is_in_team = true;
    work(worker);
    is_in_team = false;
  };
  std::vector<std::thread> others;
  for (int worker = 1; worker < team; ++worker) others.emplace_back(work_in_team, worker);
  work_in_team(0);
  for (std::thread& other : others) other.join();
}
#else
void run_team(int, const std::function<void(int)>& work) { work(0); }
#endif

}  // namespace

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int resolve_threads(int threads) { return threads > 0 ? threads : available_threads(); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  parallel_for_workers(count, threads, [&](std::size_t i, int) { body(i); });
}

void parallel_for_workers(std::size_t count, int threads, const std::function<void(std::size_t, int)>& body) {
  const int team = static_cast<int>(std::min<std::size_t>(count, resolve_threads(threads)));
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex guard;
  std::exception_ptr error;
  std::size_t error_item = count;

  // Items are handed out in ascending order and an item once started is finished, so everything before the
  // smallest failing item has run: which exception is thrown depends on the items alone.
  const bool flushes = FlushDenormals::is_on();
  const auto work = [&](int worker) {
    const FlushDenormals as_the_caller(flushes);
    while (!failed.load(std::memory_order_relaxed)) {
      const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= count) return;
      try {
        check_interrupt();
        body(i, worker);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(guard);
        if (i < error_item) {
          error_item = i;
          error = std::current_exception();
        }
        failed.store(true, std::memory_order_relaxed);
      }
    }
  };

  run_team(team, work);
  if (error) std::rethrow_exception(error);
  check_interrupt();  // the others may have taken all items, and only this thread is watched
}

}  // namespace twofold
