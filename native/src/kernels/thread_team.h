#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/work_thread.h"

// Helper threads that join the thread that asks in one piece of work, and sleep in between. A helper that comes late,
// or not at all, holds nobody up: whoever asks has to be able to do all of it alone. Only the next run waits for one
// that has come and not yet gone.
class ThreadTeam {
 public:
  // `threads` counts the asking thread. `work` is called by each of those that come, for every run; it must not throw.
  ThreadTeam(size_t threads, std::function<void(size_t thread)> work);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  size_t threads() const { return helpers_.size() + 1; }
  // Calls `prepare` once no helper is in the run before any more, then work(0). One thread asks at a time.
  void run(const std::function<void()>& prepare);

 private:
  void help(size_t thread);
  void stop();

  std::function<void(size_t)> work_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable idle_;
  size_t helping_ = 0;
  uint64_t round_ = 0;
  bool running_ = false;
  bool stopping_ = false;
  std::vector<std::unique_ptr<DeepThread>> helpers_;  // Last: they start with everything above in place.
};
