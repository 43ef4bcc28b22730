#pragma once

#include <atomic>

// Synchronises the threads of one operation of a graph. All of them are running then, so a wait is short.
class SpinBarrier {
 public:
  // Each of `threads` threads calls this; none returns before all have called.
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
