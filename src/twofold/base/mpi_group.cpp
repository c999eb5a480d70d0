#include "twofold/base/mpi_group.h"

#include <sched.h>
#include <unistd.h>

#include <chrono>

#include "twofold/base/error.h"
#include "twofold/base/module.h"
#include "twofold/base/mpi_interface.h"

namespace twofold {
namespace {

using Clock = std::chrono::steady_clock;

constexpr ModuleName kMpiModule = {"libtwofold_mpi.so", "twofold_mpi", "TWOFOLD_MPI", true};
// After an interrupt an answer that takes so long does not come any more.
constexpr std::chrono::seconds kPatience{10};

class MpiGroup : public Group {
 public:
  MpiGroup(const TwofoldMpi& mpi, int rank, int size) : mpi_(mpi), rank_(rank), size_(size) {}
  ~MpiGroup() override {
    if (!is_lost_) mpi_.end();
  }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

 protected:
  void pass(const std::string& mine, std::vector<std::string>& all) override {
    require(mpi_.begin(mine.data(), mine.size()) == 0);
    wait();
    all.resize(static_cast<std::size_t>(size_));
    for (int r = 0; r < size_; ++r) {
      std::uint64_t bytes = 0;
      const void* const message = mpi_.message(r, &bytes);
      all[static_cast<std::size_t>(r)].assign(static_cast<const char*>(message), bytes);
    }
  }

 private:
  void require(bool went_well) {
    if (went_well) return;
    is_lost_ = true;
    throw GroupStop(GroupStop::Kind::kLost, -1, mpi_.trouble());
  }

  // Others are soon there where ranks have a core each, so it looks without a pause at first; then it lets
  // others have the core, and sleeps where it takes long.
  void wait() {
    constexpr int kSpins = 200;
    constexpr std::chrono::milliseconds kLong{20};
    const Clock::time_point begin = Clock::now();
    Clock::time_point asked{};
    for (int looks = 0;; ++looks) {
      int is_done = 0;
      require(mpi_.test(&is_done) == 0);
      if (is_done != 0) return;
      if (looks < kSpins) continue;
      sched_yield();
      const Clock::time_point now = Clock::now();
      if (now - begin > kLong) usleep(50);
      if (asked != Clock::time_point{}) {
        if (now - asked < kPatience) continue;
        is_lost_ = true;
        throw GroupStop(GroupStop::Kind::kLost, -1, "another rank does not answer any more");
      }
      if (is_interrupted && is_interrupted()) asked = now;
    }
  }

  const TwofoldMpi& mpi_;
  int rank_;
  int size_;
  bool is_lost_ = false;
};

}  // namespace

std::unique_ptr<Group> start_mpi(const std::string& purpose, int expected) {
  std::string trouble;
  const auto entry = reinterpret_cast<const TwofoldMpi* (*)()>(open_module(kMpiModule, trouble));
  if (entry != nullptr && entry()->interface_number != kTwofoldMpiInterface)
    trouble = fmt::format("{} is of another version of twofold", kMpiModule.file);
  if (!trouble.empty())
    throw Error(fmt::format(
        "{} needs MPI, and this twofold finds none: {}. Install libopenmpi-dev and build twofold anew, or set "
        "TWOFOLD_MPI to the path of {}",
        purpose, trouble, kMpiModule.file));
  int rank = 0, size = 1;
  if (entry()->start(&rank, &size) != 0)
    throw Error(fmt::format("{}: MPI does not start: {}", purpose, entry()->trouble()));
  if (size != expected) {
    if (size == 1) entry()->end();
    throw Error(fmt::format(
        "{}: {} were started together, but {} sees {}; it must be the MPI of the launcher (mpirun of "
        "the same MPI, or srun --mpi=pmix)",
        purpose, expected, entry()->version(), size));
  }
  return std::make_unique<MpiGroup>(*entry(), rank, size);
}

}  // namespace twofold
