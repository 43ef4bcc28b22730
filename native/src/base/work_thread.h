#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

// The grammar's trigger patterns run through std::regex, which recurses once per character of the answer.
constexpr size_t kDeepStackBytes = size_t{64} << 20;

// For threads that tokenise: a run of kRunBytesMax bytes uses half of it in llama.cpp's slowest pre-tokeniser.
constexpr size_t kPreparationStackBytes = size_t{256} << 20;

// A joinable thread whose stack has the given size, reserved but not touched. It ends when `body` returns.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> body, size_t stack_bytes = kDeepStackBytes);
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

 private:
  static void* run(void* self);
  std::function<void()> body_;
  pthread_t thread_;
};

struct WorkThreadOptions {
  size_t count = 1;
  size_t stack_bytes = kDeepStackBytes;
  // Added to the process's nice value, so that the kernel favours other threads on a contended core.
  int niceness = 0;
  // Whether the pages of the stack that a job touched are released after it; the next job finds zeros there.
  bool releases_stack = false;
};

// Runs queued jobs on its own threads; by default on one thread, one job after another.
class WorkThread {
 public:
  explicit WorkThread(const WorkThreadOptions& options = {});
  // Runs the queued jobs, then joins the threads.
  ~WorkThread();
  void post(std::function<void()> job);

 private:
  void run_jobs();
  const WorkThreadOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<DeepThread>> threads_;  // Last, so that the threads start when every other member exists.
};
