#pragma once

// Vector operations for code that is compiled for several instruction sets: AVX-512 VNNI, or AVX2 if KERNELS_ON_AVX2 is
// defined. Such code lies between simd_begin.h and simd_end.h, in the namespace of its instruction set. A vector has
// `kWidth` lanes.
#ifdef KERNELS_ON_AVX2
#include "kernels/simd_avx2.h"
#else
#include "kernels/simd_avx512.h"
#endif
