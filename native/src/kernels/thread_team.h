#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/work_thread.h"

// Helper threads that join the calling thread in one run and sleep between runs. A helper that is late or absent delays
// nothing, since the caller can do all the work alone. Only the next run waits for a helper that has joined and not yet
// left.
class ThreadTeam {
 public:
  // `threads` includes the calling thread. Each thread that joins a run calls `work`, which must not throw.
  ThreadTeam(size_t threads, std::function<void(size_t thread)> work);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  size_t threads() const { return helpers_.size() + 1; }
  // Calls `prepare` once all helpers have left the previous run, then work(0). Not reentrant.
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
  std::vector<std::unique_ptr<DeepThread>> helpers_;  // Last, so that the threads start when every other member exists.
};
