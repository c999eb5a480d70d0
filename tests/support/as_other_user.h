#pragma once

#include <unistd.h>

#include <cstdlib>

namespace twofold::testing {

/// Makes file permissions count even when the tests run as root, for as long as it lives.
class AsOtherUser {
 public:
  AsOtherUser() {
    if (geteuid() != 0) return;
    constexpr uid_t kNobody = 65534;
    changed_ = seteuid(kNobody) == 0;
  }
  ~AsOtherUser() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }
  AsOtherUser(const AsOtherUser&) = delete;
  AsOtherUser& operator=(const AsOtherUser&) = delete;

 private:
  bool changed_ = false;
};

}  // namespace twofold::testing
