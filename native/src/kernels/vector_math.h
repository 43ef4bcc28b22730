#pragma once

#include <cstddef>
#include <cstdint>

// The sampler's passes over a whole vocabulary, compiled for several instruction sets; the best one is chosen at run
// time.

// Logits per entry of `block_maxima`.
constexpr size_t kBlock = 128;

constexpr size_t block_count(size_t count) { return (count + kBlock - 1) / kBlock; }

// Writes the maximum of every block of 128 logits. Returns false if any logit is NaN.
bool find_block_maxima(const float* logits, size_t count, float* block_maxima);

// weights[i] = exp((logits[i] − greatest) · scale), or 0 where logits[i] < least. Returns their sum. Relative error
// below 3e-7; smaller weights than exp(−87) become exp(−87).
double exponentiate(const float* logits, size_t count, float greatest, float scale, float least, float* weights);

// Sets the logits whose bit in `kept` is not set to −∞. Returns whether any other logit remains.
bool keep_only(const uint64_t* kept, float* logits, size_t count);
