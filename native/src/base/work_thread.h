#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

// The grammar's trigger patterns run through std::regex, which recurses once per character of an answer.
constexpr size_t kDeepStackBytes = size_t{64} << 20;

// Of threads that tokenise: a run of kRunBytesMax bytes takes half of it in llama.cpp's slowest pre-tokeniser.
constexpr size_t kPreparationStackBytes = size_t{256} << 20;

// A joinable thread with a stack of a given size, reserved but not touched. Ends when `body` returns.
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
  // Added to the process's priority value: the kernel gives such threads less of a core that others want.
  int niceness = 0;
  // Gives back after each job what its recursion touched of the stack; the next one finds zeros there.
  bool releases_stack = false;
};

// Runs jobs on threads of its own, by default one after another on one thread.
class WorkThread {
 public:
  explicit WorkThread(const WorkThreadOptions& options = {});
  // Runs what is queued, then joins.
  ~WorkThread();
  void post(std::function<void()> job);

 private:
  void run_jobs();
  const WorkThreadOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<DeepThread>> threads_;  // Last: they start with everything above in place.
};
