#pragma once

#include <atomic>

// process.exit() runs the destructors of llama.cpp's statics while our threads may still compute with them. Whoever
// computes holds a pass; at exit, every holder is told to stop and waited for, and nobody gets in any more.
class ComputePass {
 public:
  // `stop` is set at exit and must make the computation end soon. Does not return once the process is exiting.
  explicit ComputePass(std::atomic<bool>& stop);
  ~ComputePass();
  ComputePass(const ComputePass&) = delete;
  ComputePass& operator=(const ComputePass&) = delete;

 private:
  std::atomic<bool>& stop_;
};

// Closes the gate before the destructors of all statics that exist by now: call it after those that matter were made.
void close_gate_at_exit();
