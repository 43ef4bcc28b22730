#pragma once

#include "kernels/decode_attention_body.h"
#include "kernels/float_products_body.h"
#include "kernels/instruction_set.h"
#include "kernels/panel_products_body.h"
#include "kernels/prompt_attention_body.h"
#include "kernels/simd_begin.h"

const InstructionSet kInstructionSet{
    kInstructions, kPanelProducts, kFloatProducts, {sees_any, attend_to_piece, join, attend_to_prompt}};

#include "kernels/simd_end.h"
