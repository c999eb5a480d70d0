#include "twofold/compute/arena.h"

#include <algorithm>
#include <new>

namespace twofold::compute {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kSmallest = 1 << 16;

void* allocate(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{kLine}); }
void release(void* data) { ::operator delete (data, std::align_val_t{kLine}); }

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_) release(block.data);
}

void* Arena::bytes(std::size_t count) {
  count = (count + kLine - 1) / kLine * kLine;
  if (blocks_.empty() || blocks_.back().size - used_ < count) {
    blocks_.reserve(blocks_.size() + 1);
    std::size_t size = std::max({kSmallest, count, capacity()});
    void* data = ::operator new (size, std::align_val_t{kLine}, std::nothrow);
    // Near the limit of memory there may be room for what is needed, if not for as much again.
    if (data == nullptr) data = allocate(size = count);
    blocks_.push_back({data, size});
    used_ = 0;
  }
  void* taken = static_cast<char*>(blocks_.back().data) + used_;
  used_ += count;
  return taken;
}

void Arena::reset() {
  used_ = 0;
  if (blocks_.size() < 2) return;
  // One block of the whole size, so that the next pass of this size finds it all in one place.
  const std::size_t size = capacity();
  for (const Block& block : blocks_) release(block.data);
  blocks_.clear();
  blocks_.push_back({allocate(size), size});
}

std::size_t Arena::capacity() const {
  std::size_t size = 0;
  for (const Block& block : blocks_) size += block.size;
  return size;
}

}  // namespace twofold::compute
