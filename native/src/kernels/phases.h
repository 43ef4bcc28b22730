#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

// A sequence of phases that several threads execute together. A phase consists of units that any thread may take, and
// starts once every unit of the previous phase is done. Threads wait for units, never for each other: a thread that is
// late or has no core delays only the unit that it has taken.
class Phases {
 public:
  explicit Phases(size_t most) : most_(most), phases_(std::make_unique<Phase[]>(most)) {}

  // Call before a walk starts, after the previous one has ended.
  void reset() {
    for (size_t index = 0; index < most_; ++index) {
      phases_[index].next.store(0, std::memory_order_relaxed);
      phases_[index].done.store(0, std::memory_order_relaxed);
    }
  }

  // One thread's pass through the phases. All threads must call `each` with the same units, in the same order.
  class Walk {
   public:
    explicit Walk(Phases& phases) : phases_(phases) {}

    // Calls work(unit) for the units below `units` that this thread takes; returns when all units are done.
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
