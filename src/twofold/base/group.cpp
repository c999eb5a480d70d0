#include "twofold/base/group.h"

namespace twofold {
namespace {

// The first character of a message.
constexpr char kData = 'd';
constexpr char kFailure = 'f';
constexpr char kInterrupt = 'i';

}  // namespace

const std::vector<std::string>& Group::share(const std::string& mine) {
  const bool stops = is_interrupted && is_interrupted();
  buffer_.assign(1, stops ? kInterrupt : kData);
  if (!stops) buffer_ += mine;
  has_stopped_ = true;  // unless all goes well
  pass(buffer_, all_);
  for (std::size_t r = 0; r < all_.size(); ++r)
    if (all_[r][0] == kFailure)
      throw GroupStop(GroupStop::Kind::kFailed, static_cast<int>(r), all_[r].substr(1));
  for (std::size_t r = 0; r < all_.size(); ++r)
    if (all_[r][0] == kInterrupt)
      throw GroupStop(GroupStop::Kind::kInterrupted, static_cast<int>(r), "interrupted");
  for (std::string& message : all_) message.erase(0, 1);
  has_stopped_ = false;
  return all_;
}

void Group::fail(const std::string& why) noexcept {
  has_stopped_ = true;
  try {
    pass(kFailure + why, all_);
  } catch (...) {
    // Nobody is left to be told.
  }
}

}  // namespace twofold
