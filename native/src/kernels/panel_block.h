#pragma once

#include <cstdint>

#include "kernels/interleaved_panel.h"
#include "kernels/simd.h"

#include "kernels/simd_begin.h"

// A block of a panel, or of those of its rows that fill a vector.
class PanelBlock {
 public:
  // `first_row` is the first row of the panel that it has.
  [[gnu::always_inline]] PanelBlock(const BlockShape& shape, const uint8_t* panel, int64_t first_row, int64_t block)
      : words_(panel + block * shape.stride() + first_row * 4),
        rest_(panel + block * shape.stride() + shape.interleaved_rest_at() + first_row * shape.rest) {}

  // The same block, from `row` rows further on.
  [[gnu::always_inline]] PanelBlock from_row(const BlockShape& shape, int64_t row) const {
    PanelBlock part = *this;
    part.words_ += row * 4;
    part.rest_ += row * shape.rest;
    return part;
  }
  [[gnu::always_inline]] void advance(const BlockShape& shape) {
    words_ += shape.stride();
    rest_ += shape.stride();
  }
  // Word `index` of each row: four bytes in each 32-bit lane.
  [[gnu::always_inline]] Words word(int64_t index) const { return load_words(words_ + index * BlockShape::kLine); }
  // The rest, a number of half precision of each row.
  [[gnu::always_inline]] Floats half() const { return load_halves(rest_); }
  // The rest, a byte of each row.
  [[gnu::always_inline]] Words byte() const { return load_bytes(rest_); }
  // The byte at `offset` from the beginning of the block; may be after its end.
  [[gnu::always_inline]] const uint8_t* at(int64_t offset) const { return words_ + offset; }

 private:
  const uint8_t *words_, *rest_;
};

#include "kernels/simd_end.h"
