#pragma once

#include <algorithm>

#include "base/line_memory.h"

// Memory for intermediate results that begins at a cache line and grows as needed; what it holds then is lost.
class Scratch {
 public:
  float* floats(size_t count) {
    if (memory_.size() < count) memory_ = LineMemory<float>(std::max(count, memory_.size() * 2));
    return memory_.data();
  }

 private:
  LineMemory<float> memory_;
};
