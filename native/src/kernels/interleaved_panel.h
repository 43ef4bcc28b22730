#pragma once

#include <cstddef>
#include <cstdint>

// Sixteen rows of weights, interleaved: block after block, each 32-bit word of a block of the format is stored sixteen
// times in a row, once per row of weights, so that it is loaded into one register. The bytes of a block that fill no
// word, a scale at its beginning or end, lie after its words. So a product reads a panel from its first byte to its
// last.

inline constexpr int64_t kPanelRows = 16;

// How blocks of a format are interleaved.
struct BlockShape {
  static constexpr int64_t kLine = 64;

  int64_t bytes;    // Of a block of one row.
  int64_t rest;     // Bytes that fill no word: none, one or two.
  int64_t rest_at;  // Where they are in the block: at its beginning or at its end.

  constexpr int64_t words() const { return bytes / 4; }
  constexpr int64_t interleaved_rest_at() const { return words() * kLine; }
  constexpr int64_t first_word_at() const { return rest_at == 0 ? rest : 0; }
  // In a row of so many bytes.
  constexpr int64_t blocks_of(size_t row_bytes) const { return static_cast<int64_t>(row_bytes) / bytes; }
  // From a block of a panel to the next: a multiple of a cache line if that is at most 1/64 more than its bytes.
  constexpr int64_t stride() const {
    const int64_t exact = bytes * kPanelRows, lines = (exact + kLine - 1) / kLine * kLine;
    return lines - exact <= exact / 64 ? lines : exact;
  }
  constexpr size_t panel_bytes(int64_t blocks) const { return static_cast<size_t>(blocks * stride()); }

  // Interleaves sixteen rows of `row_bytes` each.
  void interleave(const uint8_t* rows, size_t row_bytes, uint8_t* panel) const;
  // Copies row `row` of a panel, with its bytes in their order again.
  void copy_row(const uint8_t* panel, int64_t blocks, int64_t row, uint8_t* to) const;
};
