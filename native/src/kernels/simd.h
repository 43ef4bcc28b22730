#pragma once

// The vectors of the kernels that are compiled for several instruction sets, from the same source, each in a namespace
// of its own between simd_begin.h and simd_end.h: AVX-512 VNNI, or AVX2 where KERNELS_ON_AVX2 is defined. A vector has
// `kWidth` lanes.
#ifdef KERNELS_ON_AVX2
#include "kernels/simd_avx2.h"
#else
#include "kernels/simd_avx512.h"
#endif
