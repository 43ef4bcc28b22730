#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

// A sequence of phases that threads go through together, each made of units that any of them may take; a phase begins
// once every unit of the one before is done. Nobody waits for a thread, only for units: one that finds no core, or that
// comes late, holds up nothing but the unit it has taken.
class Phases {
 public:
  explicit Phases(size_t most) : most_(most), phases_(std::make_unique<Phase[]>(most)) {}

  // Before a walk begins, and after the last has ended.
  void reset() {
    for (size_t index = 0; index < most_; ++index) {
      phases_[index].next.store(0, std::memory_order_relaxed);
      phases_[index].done.store(0, std::memory_order_relaxed);
    }
  }

  // One thread's way through. All threads have to call `each` with the same units, in the same order.
  class Walk {
   public:
    explicit Walk(Phases& phases) : phases_(phases) {}

    // Calls work(unit) for those of the units below `units` that this thread takes, and returns when all are done.
    template <typename Work>
    void each(int64_t units, const Work& work) {
      if (index_ == phases_.most_) std::abort();
      Phase& phase = phases_.phases_[index_++];
      int64_t taken = 0;
      for (int64_t unit = phase.next.fetch_add(1); unit < units; unit = phase.next.fetch_add(1), ++taken) work(unit);
      if (taken > 0) phase.done.fetch_add(taken, std::memory_order_release);
      for (int spins = 0; phase.done.load(std::memory_order_acquire) < units; ++spins) {
        if (spins < kSpins) {
          __builtin_ia32_pause();
        } else {
          sched_yield();
        }
      }
    }

   private:
    static constexpr int kSpins = 2000;

    Phases& phases_;
    size_t index_ = 0;
  };

 private:
  struct alignas(64) Phase {
    std::atomic<int64_t> next{0};
    std::atomic<int64_t> done{0};
  };

  size_t most_;
  std::unique_ptr<Phase[]> phases_;
};
