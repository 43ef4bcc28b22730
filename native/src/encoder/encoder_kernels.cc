#include "encoder/encoder_kernels.h"

#include "kernels/instruction_set.h"

const EncoderKernels& encoder_kernels() {
  static const bool is_avx512 = instruction_set() == &avx512::kInstructionSet;
  return is_avx512 ? avx512::kEncoderKernels : avx2::kEncoderKernels;
}
