#pragma once

#include <algorithm>

#include "kernels/attention.h"
#include "kernels/kv_formats.h"
#include "kernels/vector_exp.h"

// What the kernels of attention share.

#include "kernels/simd_begin.h"

// One bit for each position of a block that a token attends to.
[[gnu::always_inline]] inline uint32_t seen_in(const uint16_t* mask) {
  static_assert(kBlock == 32);
  constexpr uint16_t kMinusInfinity = 0xFC00;
  return bits_unless(mask, kMinusInfinity);
}

// Turns a query's products with a block of keys into weights relative to the greatest score so far, and returns the
// factor by which earlier sums shrink. `notes` holds that score and the sum of the weights.
[[gnu::always_inline]] inline float weigh(float* products, const uint16_t* mask, float scale, float* notes) {
  constexpr int kVectors = kBlock / kWidth;
  const Floats nothing = all(kNothing);
  Floats scores[kVectors], biases[kVectors];
  for (int index = 0; index < kVectors; ++index) {
    biases[index] = load_halves(reinterpret_cast<const uint8_t*>(mask + index * kWidth));
    const Floats score = multiply_add(load(products + index * kWidth), all(scale), biases[index]);
    scores[index] = if_above(biases[index], nothing, score, nothing);
  }
  Floats greatest_lanes = scores[0];
  for (int index = 1; index < kVectors; ++index) greatest_lanes = greater(greatest_lanes, scores[index]);
  const float before = notes[0];
  const float greatest = std::max(before, greatest_of(greatest_lanes));
  Floats total = zeros();
  for (int index = 0; index < kVectors; ++index) {
    const Floats weights = if_above(biases[index], nothing, exp_of(scores[index] - all(greatest)), zeros());
    store(products + index * kWidth, weights);
    total = total + weights;
  }
  float shrunk = 1.0f;
  if (before != greatest) shrunk = first_of(exp_of(all(before - greatest)));
  notes[0] = greatest;
  notes[1] = notes[1] * shrunk + total_of(total);
  return shrunk;
}

#include "kernels/simd_end.h"
