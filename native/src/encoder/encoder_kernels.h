#pragma once

#include <cstddef>
#include <cstdint>

#include "encoder/activation_rows.h"
#include "encoder/dense_matrix.h"
#include "encoder/text_attention.h"

// What the encoder computes on one thread, compiled for several instruction sets.

inline constexpr size_t kFinishes = 3;

struct EncoderKernels {
  void (*normalise)(float* row, int64_t width, const float* scale, const float* shift, float epsilon);
  Range (*range_of)(const float* row, int64_t width);
  void (*quantise)(const float* row, int64_t width, RowQuantisation& quantisation, uint8_t* bytes);
  void (*attend_to_text)(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride,
                         float* scratch);
  // By Finish, so that the final operation is known at compile time.
  void (*multiply_floats[kFinishes])(const float* rows, int64_t count, const float* weights, const DensePanel& panel);
  void (*multiply_bytes[kFinishes])(const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                                    const int8_t* weights, const DensePanel& panel);
};

namespace avx512 {
extern const EncoderKernels kEncoderKernels;
}
namespace avx2 {
extern const EncoderKernels kEncoderKernels;
}

// For the instruction set that instruction_set() chose. Requires one.
const EncoderKernels& encoder_kernels();
