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
};

// Asks for no core dumps and no tracing, for good, and tells what the kernel made of it. Never throws.
ProcessGuardFacts guard_process();

ProcessGuardFacts read_process_guard();
