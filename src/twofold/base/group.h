#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace twofold {

/// What ends the work of a whole group. No twofold::Error: what handles those must let it pass.
class GroupStop : public std::runtime_error {
 public:
  enum class Kind {
    kFailed,       // a rank has failed, and says why
    kInterrupted,  // a rank was asked to stop; all stop at the same step
    kLost          // a rank no longer answers
  };
  GroupStop(Kind what, int of_rank, const std::string& text)
      : std::runtime_error(text), kind(what), rank(of_rank) {}

  Kind kind;
  int rank;  // that failed or was asked; -1: not known
};

/// Processes that do one thing together (ranks of MPI): all make the same calls in the same order. One thread
/// of each calls.
class Group {
 public:
  virtual ~Group() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool leads() const { return rank() == 0; }

  /// Gives `mine` to all and returns what each gave, by rank, valid until the next call. Sizes may differ. In
  /// place of a message, the failure of a rank may come, or its wish to stop: GroupStop is then thrown on all.
  const std::vector<std::string>& share(const std::string& mine);
  /// Tells the others, in place of the next message, that this rank cannot go on. Nothing may be shared after.
  void fail(const std::string& why) noexcept;

  /// Whether the work of the group has ended: nothing may be shared any more.
  bool has_stopped() const { return has_stopped_; }

  /// Asked before each message and while waiting. True ends the work as kInterrupted, on all ranks at the same
  /// step; if the others do not answer for seconds, as kLost.
  std::function<bool()> is_interrupted;

 protected:
  /// All messages, by rank. Throws GroupStop (kLost).
  virtual void pass(const std::string& mine, std::vector<std::string>& all) = 0;

 private:
  bool has_stopped_ = false;
  std::uint64_t step_ = 0;
  std::vector<std::string> all_;
};

}  // namespace twofold
