#pragma once

#include <cstdint>
#include <cstring>

// Vectors of 16 numbers. They are wider than the baseline's registers; the compiler splits them where necessary.
inline constexpr int kLanes = 16;
using Lanes = float __attribute__((vector_size(64)));
using IntLanes = int32_t __attribute__((vector_size(64)));

// exp(x) for x ≤ 0, of a vector of floats of any width; values below −87 count as −87. 2^n · e^r with |r| ≤ ln2/2,
// where e^r is a polynomial of degree 6 with the coefficients of Cephes.
template <typename Vector, typename Integers>
[[gnu::always_inline]] inline void exp_of_floats(Vector& x) {
  x = x < -87.0f ? Vector{} - 87.0f : x;
  const Vector shifted = x * 1.44269504088896341f + 12582912.0f;  // 1.5·2^23 rounds to the nearest integer.
  const Vector n = shifted - 12582912.0f;
  Vector r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  Vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Integers exponent = (__builtin_convertvector(n, Integers) + 127) << 23;
  Vector power;
  std::memcpy(&power, &exponent, sizeof power);
  x = p * power;
}

[[gnu::always_inline]] inline void exp_in_place(Lanes& x) { exp_of_floats<Lanes, IntLanes>(x); }
