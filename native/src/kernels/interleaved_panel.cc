#include "kernels/interleaved_panel.h"

#include <cstring>

void BlockShape::interleave(const uint8_t* rows, size_t row_bytes, uint8_t* panel) const {
  const int64_t blocks = blocks_of(row_bytes);
  for (int64_t block = 0; block < blocks; ++block, panel += stride()) {
    for (int64_t row = 0; row < kPanelRows; ++row) {
      const uint8_t* from = rows + static_cast<size_t>(row) * row_bytes + block * bytes;
      std::memcpy(panel + interleaved_rest_at() + row * rest, from + rest_at, static_cast<size_t>(rest));
      uint8_t* to = panel + row * 4;
      for (int64_t word = 0; word < words(); ++word) std::memcpy(to + word * kLine, from + first_word_at() + word * 4, 4);
    }
  }
}

void BlockShape::copy_row(const uint8_t* panel, int64_t blocks, int64_t row, uint8_t* to) const {
  for (int64_t block = 0; block < blocks; ++block, panel += stride(), to += bytes) {
    std::memcpy(to + rest_at, panel + interleaved_rest_at() + row * rest, static_cast<size_t>(rest));
    const uint8_t* from = panel + row * 4;
    for (int64_t word = 0; word < words(); ++word) std::memcpy(to + first_word_at() + word * 4, from + word * kLine, 4);
  }
}
