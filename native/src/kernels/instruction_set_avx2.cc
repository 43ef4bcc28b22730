#define KERNELS_ON_AVX2
#include "kernels/instruction_set_body.h"
