#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "twofold/base/group.h"

namespace twofold::testing {

/// Ranks that are threads of one process: what MPI does, without it.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), given_(static_cast<std::size_t>(size)) {}

  /// Calls body(group) on a thread for each rank and waits for all of them.
  void run(const std::function<void(Group&)>& body) {
    std::vector<std::thread> threads;
    for (int r = 0; r < size_; ++r)
      threads.emplace_back([this, r, &body] {
        Member member(*this, r);
        body(member);
      });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class Member : public Group {
   public:
    Member(ThreadRanks& ranks, int rank) : ranks_(ranks), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return ranks_.size_; }

   protected:
    void pass(const std::string& mine, std::vector<std::string>& all) override {
      ranks_.meet([&] { ranks_.given_[static_cast<std::size_t>(rank_)] = mine; });
      all = ranks_.given_;
      ranks_.meet([] {});
    }

   private:
    ThreadRanks& ranks_;
    int rank_;
  };

  // Returns when all have come.
  void meet(const std::function<void()>& first) {
    std::unique_lock<std::mutex> lock(guard_);
    first();
    const int round = round_;
    if (++come_ == size_) {
      come_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return round_ != round; });
  }

  int size_;
  std::vector<std::string> given_;
  std::mutex guard_;
  std::condition_variable changed_;
  int come_ = 0;
  int round_ = 0;
};

}  // namespace twofold::testing
