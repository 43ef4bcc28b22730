#pragma once

#include <algorithm>
#include <cstdint>

// How many threads compute a graph, from what they get of the machine's cores.
//
// llama.cpp's threads wait for each other by spinning, at a hundred places in a graph: while one of them has no core,
// all stand still. With n threads of which one misses a share s of the time, a graph runs at n·(1 − s) at best; without
// that thread at n − 1. So fewer are faster once s > 1/n, and a thread more is tried now and then, each time later than
// before while that fails. The first tries double, as nothing is known yet. All times are nanoseconds.
class ThreadGovernor {
 public:
  explicit ThreadGovernor(int32_t threads_max) : threads_max_(threads_max) {}

  int32_t count() const { return count_; }

  // Graphs took `wall` with count() threads, which in sum waited for a core for `waited`. `now`: any clock that goes
  // forward.
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
  // A thread that shares its core for a moment, with an interrupt's work for example, need not go.
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
