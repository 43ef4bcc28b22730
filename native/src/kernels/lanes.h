#pragma once

#include <cstdint>
#include <cstring>

// Vectors of 16 numbers. They are wider than the baseline's registers; the compiler splits them where necessary.
inline constexpr int kLanes = 16;
using Lanes = float __attribute__((vector_size(64)));
using IntLanes = int32_t __attribute__((vector_size(64)));

// exp(x) for x ≤ 0; values below −87 count as −87. 2^n · e^r with |r| ≤ ln2/2, where e^r is a polynomial of degree 6
// with the coefficients of Cephes.
[[gnu::always_inline]] inline void exp_in_place(Lanes& x) {
  x = x < -87.0f ? Lanes{} - 87.0f : x;
  const Lanes shifted = x * 1.44269504088896341f + 12582912.0f;  // 1.5·2^23 rounds to the nearest integer.
  const Lanes n = shifted - 12582912.0f;
  Lanes r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  Lanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const IntLanes exponent = (__builtin_convertvector(n, IntLanes) + 127) << 23;
  Lanes power;
  std::memcpy(&power, &exponent, sizeof power);
  x = p * power;
}
