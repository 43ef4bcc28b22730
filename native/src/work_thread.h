#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

#include <pthread.h>

// The grammar's trigger patterns run through std::regex, which recurses once per character of an answer.
constexpr size_t kDeepStackBytes = size_t{64} << 20;

// A joinable thread with a stack of a given size, reserved but not touched. Ends when `body` returns.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> body);
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

 private:
  static void* run(void* self);
  std::function<void()> body_;
  pthread_t thread_;
};

// Runs jobs one after another on one thread of its own.
class WorkThread {
 public:
  WorkThread();
  // Runs what is queued, then joins.
  ~WorkThread();
  void post(std::function<void()> job);

 private:
  void run_jobs();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  DeepThread thread_;  // Last: it starts with everything above in place.
};
