#pragma once

#include <algorithm>
#include <cstdint>

// Chooses how many threads compute a graph, by how much of the machine's cores they get.
//
// llama.cpp's threads synchronise by spinning, about a hundred times per graph: while one of them has no core, all of
// them stall. With n threads, one of which lacks a core for a share s of the time, a graph runs at n·(1 − s) at best;
// without that thread, at n − 1. Fewer threads are therefore faster once s > 1/n. The governor tries one more thread
// from time to time, at growing intervals while that fails; the first attempts double the number. Times are
// nanoseconds.
class ThreadGovernor {
 public:
  explicit ThreadGovernor(int32_t threads_max) : threads_max_(threads_max) {}

  int32_t count() const { return count_; }

  // Reports graphs that took `wall` with count() threads, which waited for a core for `waited` in total. `now`: any
  // monotonic clock.
  void observe(int64_t wall, int64_t waited, int64_t now) {
    const double missing = static_cast<double>(waited) / static_cast<double>(std::max<int64_t>(wall, 1));
    if (count_ > 1 && missing > 1.0 / count_ + kNoise) {
      retreat(static_cast<int32_t>(count_ - missing), now);
    } else {
      advance(now);
    }
  }

 private:
  static constexpr int64_t kPatienceMin = 250'000'000, kPatienceMax = 8'000'000'000;
  // A thread that shares its core briefly, for example with an interrupt handler, stays.
  static constexpr double kNoise = 0.1;

  void retreat(int32_t running, int64_t now) {
    patience_ = trying_ ? std::min(patience_ * 2, kPatienceMax) : kPatienceMin;
    count_ = std::clamp(trying_ ? before_ : running, 1, count_ - 1);
    trying_ = false;
    doubling_ = false;
    next_try_ = now + patience_;
  }

  void advance(int64_t now) {
    if (trying_) patience_ = kPatienceMin;
    trying_ = count_ < threads_max_ && (trying_ || now >= next_try_);
    if (!trying_) return;
    before_ = count_;
    count_ = std::min(doubling_ ? count_ * 2 : count_ + 1, threads_max_);
  }

  int32_t threads_max_;
  int32_t count_ = 1;
  int32_t before_ = 1;
  bool trying_ = false;
  bool doubling_ = true;
  int64_t patience_ = kPatienceMin;
  int64_t next_try_ = 0;
};
