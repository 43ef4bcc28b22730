#pragma once

#include <cstddef>
#include <cstdint>

// The tile registers of Intel AMX. GCC's intrinsics do not say which memory they read, so these functions do.
namespace amx {

// The shapes of this thread's eight registers, for sums of products of bytes: sums [rows, 16] += left [rows, depth] ×
// right [depth / 4, 16 × 4]. The registers come in two sets, for 16 rows and for 8, and each set has two registers of
// sums and two of right factors, so that consecutive products can overlap.
class Shapes {
 public:
  // `depth`: a multiple of four, at most 64.
  explicit Shapes(int depth) {
    for (int tile = 0; tile < 8; ++tile) {
      const bool is_right = tile == kRight || tile == kRight + 1, is_left = tile == kLeft<16> || tile == kLeft<8>;
      config_.row_bytes[tile] = static_cast<uint16_t>(is_left ? depth : 64);
      const int rows = tile < kSums<8> ? 16 : 8;
      config_.rows[tile] = static_cast<uint8_t>(is_right ? depth / 4 : rows);
    }
    asm volatile("ldtilecfg %0" : : "m"(config_));
  }
  // The kernel saves and restores 8 KiB with every change of threads until the registers are released.
  ~Shapes() { asm volatile("tilerelease" : : : "memory"); }
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;

  // Writes sums of products of signed bytes, a row every `stride` bytes, with unsigned ones. `turn` is 0 or 1.
  template <int rows, int turn>
  [[gnu::always_inline]] static void multiply(const int8_t* left, size_t stride, const void* right,
                                              int32_t (*sums)[16]) {
    asm volatile(
        "tilezero %%tmm%c[sums]\n\t"
        "tileloadd (%[left_rows],%[stride],1), %%tmm%c[left]\n\t"
        "tileloadd (%[right_rows],%[line],1), %%tmm%c[right]\n\t"
        "tdpbsud %%tmm%c[right], %%tmm%c[left], %%tmm%c[sums]\n\t"
        "tilestored %%tmm%c[sums], (%[sum_rows],%[line],1)"
        :
        : [sums] "i"(kSums<rows> + turn), [left] "i"(kLeft<rows>), [right] "i"(kRight + turn), [left_rows] "r"(left),
          [stride] "r"(stride), [right_rows] "r"(right), [sum_rows] "r"(sums), [line] "r"(size_t{64})
        : "memory");
  }

 private:
  // Numbers of registers.
  template <int rows>
  static constexpr int kSums = rows == 16 ? 0 : 5;
  template <int rows>
  static constexpr int kLeft = rows == 16 ? 2 : 7;
  static constexpr int kRight = 3;

  struct alignas(64) {
    uint8_t palette = 1;
    uint8_t start_row = 0;
    uint8_t reserved[14] = {};
    uint16_t row_bytes[16] = {};
    uint8_t rows[16] = {};
  } config_;
};

}  // namespace amx
