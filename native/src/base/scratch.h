#pragma once

#include <algorithm>

#include "base/line_memory.h"

// Memory for intermediate results, aligned to a cache line. It grows on demand, which discards its contents.
class Scratch {
 public:
  float* floats(size_t count) {
    if (memory_.size() < count) memory_ = LineMemory<float>(std::max(count, memory_.size() * 2));
    return memory_.data();
  }

 private:
  LineMemory<float> memory_;
};
