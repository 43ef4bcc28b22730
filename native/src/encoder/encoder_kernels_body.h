#pragma once

#include "encoder/activation_rows_body.h"
#include "encoder/dense_matrix_body.h"
#include "encoder/encoder_kernels.h"
#include "encoder/text_attention_body.h"
#include "kernels/simd_begin.h"

const EncoderKernels kEncoderKernels{
    normalise,
    range_of,
    quantise,
    attend_to_text,
    {multiply_dense_floats<Finish::kBias>, multiply_dense_floats<Finish::kGelu>, multiply_dense_floats<Finish::kAdd>},
    {multiply_dense_bytes<Finish::kBias>, multiply_dense_bytes<Finish::kGelu>, multiply_dense_bytes<Finish::kAdd>}};

#include "kernels/simd_end.h"
