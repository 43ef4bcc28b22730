// Begins a part of a file that is compiled for the instruction set of kernels/simd.h. Included several times.
#pragma GCC push_options
#ifdef KERNELS_ON_AVX2
#pragma GCC target("avx2,fma,f16c")
namespace avx2 {
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")
namespace avx512 {
#endif
