#pragma once

// GCC 12 warns of the undefined values that its intrinsics are made of.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <immintrin.h>
