// Preloaded into the server's process: zeroes each heap block when any library frees it. The C library still allocates
// the blocks; only `free` and `realloc` are replaced. This must be a separate library, because a preloaded library is
// searched before the C library by every other one: Node, OpenSSL, libstdc++, llama.cpp, ONNX Runtime.
#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

#include <cerrno>
#include <cstddef>

namespace {

using Free = void (*)(void*);
using Realloc = void* (*)(void*, size_t);

Free next_free = nullptr;
Realloc next_realloc = nullptr;

thread_local bool is_finding = false;

// The first `free` or `realloc` calls this; it may come from a constructor of another library. Returns false to a call from `dlsym`
// itself, which frees the message of an earlier failure.
bool find_next() {
  if (is_finding) return false;
  is_finding = true;
  next_realloc = reinterpret_cast<Realloc>(dlsym(RTLD_NEXT, "realloc"));
  next_free = reinterpret_cast<Free>(dlsym(RTLD_NEXT, "free"));
  is_finding = false;
  return true;
}

// The second bit of the size in front of a block marks a block with its own mapping, which `free` returns to the kernel
// ("A chunk's size field", malloc.c in glibc). Zeroing such a block would only touch pages that are about to be
// unmapped.
bool is_mapped(const void* block) { return (static_cast<const size_t*>(block)[-1] & 2) != 0; }

}  // namespace

extern "C" {

// Tells the process that this library is loaded.
__attribute__((visibility("default"))) extern const int cloister_zeroing_heap;
const int cloister_zeroing_heap = 1;

__attribute__((visibility("default"))) void free(void* block) {
  if (block == nullptr) return;
  const int saved_errno = errno;
  const bool can_free = next_free != nullptr || find_next();
  if (!is_mapped(block)) explicit_bzero(block, malloc_usable_size(block));
  // Otherwise the block stays allocated: a message of `dlsym`, once.
  if (can_free) next_free(block);
  errno = saved_errno;
}

__attribute__((visibility("default"))) void* realloc(void* block, size_t size) {
  if (next_realloc == nullptr && !find_next()) return nullptr;
  // The kernel resizes or unmaps a block with its own mapping, so none of it stays in the heap.
  if (block == nullptr || size == 0 || is_mapped(block)) {
    if (block != nullptr && size == 0 && !is_mapped(block)) explicit_bzero(block, malloc_usable_size(block));
    return next_realloc(block, size);
  }
  const size_t usable = malloc_usable_size(block);
  if (size <= usable && size >= usable / 2) {
    explicit_bzero(static_cast<char*>(block) + size, usable - size);
    return block;
  }
  void* moved = malloc(size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, size < usable ? size : usable);
  free(block);
  return moved;
}

__attribute__((visibility("default"))) void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

}  // extern "C"
