#pragma once

#include "kernels/attention.h"
#include "kernels/float_products.h"
#include "kernels/panel_products.h"

// The kernels, compiled for one instruction set.
struct InstructionSet {
  const char* name;
  PanelProducts products;
  FloatProducts float_products;
  Attention attention;
};

namespace avx512 {
extern const InstructionSet kInstructionSet;
}
namespace avx2 {
extern const InstructionSet kInstructionSet;
}

// The best one that this CPU supports, or null if it lacks AVX2 as well. CPU_KERNELS=AVX2 in the environment chooses the
// one for AVX2.
const InstructionSet* instruction_set();
