#include "encoder/text_attention.h"

#include "encoder/encoder_kernels.h"

size_t attention_floats(int64_t tokens, int64_t width, int64_t count) {
  return static_cast<size_t>(key_panels_of(tokens) * kKeyPanel * (width + count));
}

void attend(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride,
            float* scratch) {
  encoder_kernels().attend_to_text(head, first, count, results, results_stride, scratch);
}
