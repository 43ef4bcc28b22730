// Ends the part that kernels/simd_begin.h begins.
}
#pragma GCC pop_options
