#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ggml.h"

// How fast this machine computes matrix products, and how fast it reads the weights for them.

struct ProductTimes {
  int64_t weights;
  int64_t weight_bytes;
  std::vector<double> seconds;
};

// Times one product of a matrix larger than most caches with each of some numbers of rows of activations: the least of
// several repeats. With AMX only where may_use_amx(), without where there is an instruction_set(). Needs about 400 MB.
ProductTimes time_products(ggml_type type, const std::vector<int32_t>& rows, int threads, bool uses_amx);

// Bytes per second that threads read from memory, each its own 256 MiB: the best of several reads.
double measure_memory(int threads);
