#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "base/work_thread.h"

// How many threads asked to be without a network, and how many of them are.
struct NetworkFenceFacts {
  uint32_t asked = 0;
  uint32_t fenced = 0;
};

// Takes from the calling thread, and from every thread that it starts from now on, the making of sockets that lead out
// of this machine: local ones alone are left. For good, and for threads that parse the files of others, which never
// need more. By seccomp and not by Landlock, which knows TCP only. It stops code that was tricked, not code that was
// taken over: memory, and with it the sockets of other threads, is shared. Never throws; the facts tell whether it
// worked.
void fence_network();

NetworkFenceFacts read_network_fence();

// Runs `work` on a thread of its own without a network, and waits: for what would else run on libuv's pool, whose
// threads are everybody's. What it throws is thrown here.
template <typename Work>
auto without_network(const Work& work) -> decltype(work()) {
  std::optional<decltype(work())> result;
  std::exception_ptr failure;
  {
    const DeepThread thread([&] {
      fence_network();
      try {
        result.emplace(work());
      } catch (...) {
        failure = std::current_exception();
      }
    });
  }
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}
