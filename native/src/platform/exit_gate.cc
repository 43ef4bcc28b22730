#include "platform/exit_gate.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>

namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  std::set<std::atomic<bool>*> inside;
  bool closed = false;
};

// Never destroyed, because it must outlive every other static object.
Gate& gate() {
  static Gate* const instance = new Gate();
  return *instance;
}

void close_gate() {
  std::unique_lock lock(gate().mutex);
  gate().closed = true;
  for (std::atomic<bool>* stop : gate().inside) *stop = true;
  gate().left.wait(lock, [] { return gate().inside.empty(); });
}

}  // namespace

ComputePass::ComputePass(std::atomic<bool>& stop) : stop_(stop) {
  std::unique_lock lock(gate().mutex);
  if (gate().closed) {
    lock.unlock();
    while (true) pause();
  }
  gate().inside.insert(&stop_);
}

ComputePass::~ComputePass() {
  {
    const std::lock_guard lock(gate().mutex);
    gate().inside.erase(&stop_);
  }
  gate().left.notify_all();
}

void close_gate_at_exit() { std::atexit(close_gate); }
