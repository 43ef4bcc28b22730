#include "encoder/encoder_kernels_body.h"
