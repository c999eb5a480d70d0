#include "twofold/base/group.h"

#include <cstring>

namespace twofold {
namespace {

// The first character of a message. Behind it come the step and a checksum of all, then what is said: where a
// rank dies while it is read, MPI may give what it has as a whole message.
constexpr char kData = 'd';
constexpr char kFailure = 'f';
constexpr char kInterrupt = 'i';
constexpr std::size_t kHeader = 1 + 2 * sizeof(std::uint64_t);

std::uint64_t checksum_of(const std::string& message, std::uint64_t step) {
  std::uint64_t sum = step;
  const auto add = [&](std::uint64_t word) {
    sum = (((sum << 23) | (sum >> 41)) ^ word) * 0x9e3779b97f4a7c15u;
  };
  add(static_cast<unsigned char>(message[0]));
  std::size_t at = kHeader;
  for (; at + sizeof(std::uint64_t) <= message.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, message.data() + at, sizeof word);
    add(word);
  }
  for (; at < message.size(); ++at) add(static_cast<unsigned char>(message[at]));
  return sum ^ (sum >> 32);
}

std::string with_header(char kind, std::uint64_t step, const std::string& text) {
  std::string message(kHeader, kind);
  message += text;
  std::memcpy(message.data() + 1, &step, sizeof step);
  const std::uint64_t sum = checksum_of(message, step);
  std::memcpy(message.data() + 1 + sizeof step, &sum, sizeof sum);
  return message;
}

bool is_whole(const std::string& message, std::uint64_t step) {
  if (message.size() < kHeader) return false;
  std::uint64_t found[2];
  std::memcpy(found, message.data() + 1, sizeof found);
  return found[0] == step && found[1] == checksum_of(message, step);
}

}  // namespace

const std::vector<std::string>& Group::share(const std::string& mine) {
  const bool stops = is_interrupted && is_interrupted();
  has_stopped_ = true;  // unless all goes well
  ++step_;
  pass(with_header(stops ? kInterrupt : kData, step_, stops ? "" : mine), all_);
  for (std::size_t r = 0; r < all_.size(); ++r)
    if (!is_whole(all_[r], step_))
      throw GroupStop(GroupStop::Kind::kLost, static_cast<int>(r),
                      "rank " + std::to_string(r) + " ended while it said something");
  for (std::size_t r = 0; r < all_.size(); ++r)
    if (all_[r][0] == kFailure)
      throw GroupStop(GroupStop::Kind::kFailed, static_cast<int>(r), all_[r].substr(kHeader));
  for (std::size_t r = 0; r < all_.size(); ++r)
    if (all_[r][0] == kInterrupt)
      throw GroupStop(GroupStop::Kind::kInterrupted, static_cast<int>(r), "interrupted");
  for (std::string& message : all_) message.erase(0, kHeader);
  has_stopped_ = false;
  return all_;
}

void Group::fail(const std::string& why) noexcept {
  has_stopped_ = true;
  try {
    pass(with_header(kFailure, ++step_, why), all_);
  } catch (...) {
    // Nobody is left to be told.
  }
}

}  // namespace twofold
