#pragma once

#include <cstdint>
#include <vector>

#include "base/file_descriptor.h"
#include "engine/backends.h"
#include "engine/thread_governor.h"
#include "llama.h"

// The threads that compute one context's graphs on the CPU. They are started once; as many of them are used as get a
// core.
class ComputeThreads {
 public:
  // poll: 0 sleeps between graphs, 100 spins. Throws ERR_MODEL_LOAD.
  ComputeThreads(int32_t threads, int32_t poll);

  // `fixed`: a GPU computes the graphs, and threads that wait for it do not lack a core.
  void attach(llama_context* context, bool fixed);
  int32_t count() const { return fixed_ ? threads_max_ : governor_.count(); }

  // Exists while the calling thread computes a graph.
  class Graph {
   public:
    explicit Graph(ComputeThreads& threads);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

   private:
    ComputeThreads& threads_;
    int64_t started_ = 0;
  };

 private:
  void watch_caller();
  // The total time that the pool's threads and the caller's thread have waited for a core, in nanoseconds.
  int64_t waited() const;

  int32_t threads_max_;
  ThreadpoolPointer pool_;
  std::vector<FileDescriptor> pool_statistics_;  // Statistics files of every thread except the caller's.
  FileDescriptor caller_statistics_;
  pid_t caller_ = 0;
  llama_context* context_ = nullptr;
  bool fixed_ = false;
  ThreadGovernor governor_;
  int64_t window_wall_ = 0;
  int64_t window_waited_ = 0;  // waited() at the start of the window.
};
