#include "platform/process_guard.h"

#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "platform/key_heap.h"

namespace {

std::optional<uint64_t> limit_of(rlim_t value) {
  if (value == RLIM_INFINITY) return std::nullopt;
  return value;
}

}  // namespace

ProcessGuardFacts guard_process() {
  const rlimit none{0, 0};
  // Their return values are ignored: the facts are read back.
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  make_key_heap();
  return read_process_guard();
}

ProcessGuardFacts read_process_guard() {
  ProcessGuardFacts facts;
  rlimit core{RLIM_INFINITY, RLIM_INFINITY};
  (void)getrlimit(RLIMIT_CORE, &core);
  facts.core_limit = limit_of(core.rlim_cur);
  facts.core_limit_hard = limit_of(core.rlim_max);
  const int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
  if (dumpable >= 0) facts.dumpable = dumpable;
  facts.keys_locked = is_key_heap_locked();
  facts.freed_memory_zeroed = dlsym(RTLD_DEFAULT, "cloister_zeroing_heap") != nullptr;
  rlimit locked{RLIM_INFINITY, RLIM_INFINITY};
  (void)getrlimit(RLIMIT_MEMLOCK, &locked);
  facts.lock_limit = limit_of(locked.rlim_cur);
  return facts;
}
