#define KERNELS_ON_AVX2
#include "kernels/panel_products_body.h"
