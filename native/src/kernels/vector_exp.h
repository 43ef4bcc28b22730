#pragma once

#include "kernels/lanes.h"
#include "kernels/simd.h"
#include "kernels/simd_begin.h"

// exp(x) for x ≤ 0, see kernels/lanes.h.
[[gnu::always_inline]] inline Floats exp_of(Floats x) {
  using Vector = float __attribute__((vector_size(sizeof(Floats))));
  using Integers = int32_t __attribute__((vector_size(sizeof(Floats))));
  Vector vector = reinterpret_cast<Vector>(x);
  exp_of_floats<Vector, Integers>(vector);
  return reinterpret_cast<Floats>(vector);
}

#include "kernels/simd_end.h"
