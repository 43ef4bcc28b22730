#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Memory for intermediate results that begins at a cache line and grows as needed; what it holds then is lost.
class Scratch {
 public:
  float* floats(size_t count) {
    if (memory_.size() < count + kLineFloats) memory_.resize(count + kLineFloats);
    return reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(memory_.data()) + kLineBytes - 1) & ~(kLineBytes - 1));
  }

 private:
  static constexpr uintptr_t kLineBytes = 64;
  static constexpr size_t kLineFloats = kLineBytes / sizeof(float);
  std::vector<float> memory_;
};
