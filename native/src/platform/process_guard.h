#pragma once

#include <cstdint>
#include <optional>

// What holds for this process, read back from the kernel.
struct ProcessGuardFacts {
  // Bytes; nothing where there is no limit.
  std::optional<uint64_t> core_limit;
  std::optional<uint64_t> core_limit_hard;
  // As prctl(PR_GET_DUMPABLE) says: 0 means no core dump and no ptrace without CAP_SYS_PTRACE.
  int dumpable = 1;
  // Whether private keys that are made from now on lie in memory that is never written to a disk.
  bool keys_locked = false;
  // Whether every heap block of this process is zeroed when it is freed: the library of native/heap is preloaded.
  bool freed_memory_zeroed = false;
  // How much memory the process may lock, in bytes; nothing where there is no limit.
  std::optional<uint64_t> lock_limit;
};

// Asks for no core dumps, no tracing and locked memory for keys, for good, and tells what the kernel made of it. Never
// throws.
ProcessGuardFacts guard_process();

ProcessGuardFacts read_process_guard();
