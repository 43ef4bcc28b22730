#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "base/work_thread.h"

// The number of threads that requested the fence, and the number that got it.
struct NetworkFenceFacts {
  uint32_t asked = 0;
  uint32_t fenced = 0;
};

// Prevents the calling thread, and every thread that it starts from now on, from creating sockets that leave this
// machine; only local ones remain. Permanent; meant for threads that parse untrusted files and never need a network.
// Uses seccomp, because Landlock covers only TCP. It contains code that is tricked, not code that is taken over:
// threads share memory, and with it each other's sockets. Never throws; the facts report whether it worked.
void fence_network();

NetworkFenceFacts read_network_fence();

// Runs `work` on a separate thread without a network and waits for it, for work that must not run on libuv's shared
// threads. Rethrows its exceptions.
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
