#include "kernels/instruction_set.h"

#include <cstdlib>
#include <string_view>

namespace {

bool has_avx512_vnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("fma");
}

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("fma");
}

const InstructionSet* find_instruction_set() {
  const char* chosen = std::getenv("CPU_KERNELS");
  const bool may_be_avx512 = chosen == nullptr || std::string_view(chosen) != avx2::kInstructionSet.name;
  if (may_be_avx512 && has_avx512_vnni()) return &avx512::kInstructionSet;
  return has_avx2() ? &avx2::kInstructionSet : nullptr;
}

}  // namespace

const InstructionSet* instruction_set() {
  static const InstructionSet* const found = find_instruction_set();
  return found;
}
