#pragma once

#include <atomic>

// process.exit() runs the destructors of llama.cpp's static objects while our threads may still use them. A computation
// holds a pass; at exit, every holder is asked to stop and is waited for, and no new pass is granted.
class ComputePass {
 public:
  // `stop` is set at exit and must end the computation soon. Does not return once the process is exiting.
  explicit ComputePass(std::atomic<bool>& stop);
  ~ComputePass();
  ComputePass(const ComputePass&) = delete;
  ComputePass& operator=(const ComputePass&) = delete;

 private:
  std::atomic<bool>& stop_;
};

// Closes the gate before the destructors of all static objects that exist by now: call it after those objects are
// created.
void close_gate_at_exit();
