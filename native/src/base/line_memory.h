#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

// Memory aligned to a cache line, zeroed when it is allocated and again before it is freed. Large allocations request
// huge pages.
template <typename Element>
class LineMemory {
 public:
  LineMemory() = default;
  explicit LineMemory(size_t size) : size_(size) {
    const size_t line = bytes() >= kLargePage ? kLargePage : 64;
    const size_t whole = (bytes() + line - 1) / line * line;
    memory_ = static_cast<Element*>(std::aligned_alloc(line, whole));
    if (memory_ == nullptr) throw std::bad_alloc();
    if (line == kLargePage) madvise(memory_, whole, MADV_HUGEPAGE);
    std::memset(memory_, 0, bytes());
  }
  ~LineMemory() {
    if (memory_ != nullptr) explicit_bzero(memory_, bytes());
    std::free(memory_);
  }
  LineMemory(LineMemory&& other) noexcept { swap(other); }
  LineMemory& operator=(LineMemory&& other) noexcept {
    swap(other);
    return *this;
  }

  Element* data() { return memory_; }
  const Element* data() const { return memory_; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kLargePage = size_t{2} << 20;

  size_t bytes() const { return size_ * sizeof(Element); }
  void swap(LineMemory& other) {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }

  Element* memory_ = nullptr;
  size_t size_ = 0;
};
