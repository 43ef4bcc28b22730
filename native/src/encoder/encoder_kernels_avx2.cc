#define KERNELS_ON_AVX2
#include "encoder/encoder_kernels_body.h"
