#pragma once

#include <cstdint>
#include <optional>

// The protection of this process, read back from the kernel.
struct ProcessGuardFacts {
  // In bytes; empty if there is no limit.
  std::optional<uint64_t> core_limit;
  std::optional<uint64_t> core_limit_hard;
  // The value of prctl(PR_GET_DUMPABLE): 0 means no core dump and no ptrace without CAP_SYS_PTRACE.
  int dumpable = 1;
  // Whether new private keys are kept in memory that is never swapped out.
  bool keys_locked = false;
  // Whether every heap block of this process is zeroed when it is freed, because the library of native/heap is
  // preloaded.
  bool freed_memory_zeroed = false;
  // The memory that the process may lock, in bytes; empty if there is no limit.
  std::optional<uint64_t> lock_limit;
};

// Permanently disables core dumps and tracing and locks the memory for keys, as far as the kernel permits, and reports
// the result. Never throws.
ProcessGuardFacts guard_process();

ProcessGuardFacts read_process_guard();
