#include "kernels/interleaved_panel.h"

#include <cstring>

void BlockShape::interleave(const uint8_t* rows, size_t stride, uint8_t* panel) const {
  const int64_t blocks = blocks_of(stride);
  uint8_t* first_word = panel + rest_bytes(blocks);
  const int64_t first_at = first_word_at();
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t row = 0; row < kPanelRows; ++row) {
      const uint8_t* from = rows + static_cast<size_t>(row) * stride + block * bytes;
      std::memcpy(panel + (block * kPanelRows + row) * rest, from + rest_at, static_cast<size_t>(rest));
      uint8_t* to = first_word + block * words() * kLine + row * 4;
      for (int64_t word = 0; word < words(); ++word) std::memcpy(to + word * kLine, from + first_at + word * 4, 4);
    }
  }
}

void BlockShape::copy_row(const uint8_t* panel, int64_t blocks, int64_t row, uint8_t* to) const {
  const uint8_t* words_of_row = panel + rest_bytes(blocks) + row * 4;
  for (int64_t block = 0; block < blocks; ++block, to += bytes) {
    std::memcpy(to + rest_at, panel + (block * kPanelRows + row) * rest, static_cast<size_t>(rest));
    const uint8_t* from = words_of_row + block * words() * kLine;
    for (int64_t word = 0; word < words(); ++word) std::memcpy(to + first_word_at() + word * 4, from + word * kLine, 4);
  }
}
