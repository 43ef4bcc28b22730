#include "platform/key_heap.h"

#include <dlfcn.h>
#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <mutex>

namespace {

// Half of the memory that Linux lets an unprivileged process lock. OpenSSL allocates 32 to 128 bytes for a key, each
// open connection may hold one, and there is no fallback, so the heap must never be full.
constexpr size_t heap_bytes = size_t{4} << 20;
constexpr size_t piece_bytes_min = 32;

std::atomic<bool> is_locked = false;

// A process may raise its own soft limit up to the hard limit.
void raise_lock_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur >= heap_bytes) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_MEMLOCK, &limit);
}

bool make() {
  // Node contains OpenSSL and exports its functions to addons. This one returns 1 if everything was granted, 2 if the
  // heap exists but part of its protection was refused, and 0 if there is no heap or one already existed.
  using MakeSecureHeap = int(size_t, size_t);
  const auto make_secure_heap = reinterpret_cast<MakeSecureHeap*>(dlsym(RTLD_DEFAULT, "CRYPTO_secure_malloc_init"));
  if (make_secure_heap == nullptr) return false;
  raise_lock_limit();
  return make_secure_heap(heap_bytes, piece_bytes_min) == 1;
}

}  // namespace

void make_key_heap() {
  static std::once_flag once;
  std::call_once(once, [] { is_locked = make(); });
}

bool is_key_heap_locked() { return is_locked; }
