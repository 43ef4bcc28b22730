#pragma once

#include <atomic>

// Where the threads of one operation of a graph wait for each other. They all run at that moment, so a wait is short.
class SpinBarrier {
 public:
  // Every one of `threads` calls this; none returns before the last has called.
  void wait(int threads) {
    const unsigned round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    while (round_.load(std::memory_order_acquire) == round) __builtin_ia32_pause();
  }

 private:
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> round_{0};
};
