#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/work_thread.h"

// Helper threads that share independent rows of work with the calling thread and sleep between runs.
class RowPool {
 public:
  // `threads` includes the calling thread.
  explicit RowPool(size_t threads);
  ~RowPool();
  RowPool(const RowPool&) = delete;
  RowPool& operator=(const RowPool&) = delete;

  size_t threads() const { return helpers_.size() + 1; }
  // Calls work(row, thread) for every row below `rows`, 0 ≤ thread < threads(); returns when all are done.
  // `work` must not throw.
  void run(size_t rows, const std::function<void(size_t row, size_t thread)>& work);

 private:
  void help(size_t thread);
  void take_rows(size_t thread);

  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(size_t, size_t)>* work_ = nullptr;
  size_t rows_ = 0;
  std::atomic<size_t> next_row_{0};
  size_t busy_helpers_ = 0;
  uint64_t round_ = 0;
  bool stopping_ = false;
  std::vector<std::unique_ptr<DeepThread>> helpers_;
};
