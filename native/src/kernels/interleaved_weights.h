#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ggml.h"
#include "kernels/interleaved_panel.h"

// A copy of a tensor of weights whose panels are interleaved. A panel is copied when it is first multiplied, by the
// thread that multiplies it; so the warm-up of a model copies most, and all threads take part.
class InterleavedTensor {
 public:
  InterleavedTensor(const ggml_tensor* weights, const BlockShape& shape);
  ~InterleavedTensor();
  InterleavedTensor(const InterleavedTensor&) = delete;
  InterleavedTensor& operator=(const InterleavedTensor&) = delete;

  // The panel whose rows begin at `rows`, inside the tensor. One thread at a time may ask for the same panel.
  const uint8_t* panel(const uint8_t* rows);
  // Copies a row as the original has it. Not while a thread asks for its panel.
  void copy_row(int64_t row, uint8_t* to) const;

 private:
  void release_original() const;

  const ggml_tensor* weights_;
  BlockShape shape_;
  size_t panel_bytes_;
  int64_t panels_;
  size_t size_;
  uint8_t* memory_;
  std::vector<uint8_t> is_copied_;
  std::atomic<int64_t> copied_{0};
};

// The copies of the weights of products.
class InterleavedWeights {
 public:
  // Keeps a copy of these weights, if they are a part of a model: those of an adapter can be freed, and the keys of an
  // attention change. Not while a thread multiplies.
  void keep(const ggml_tensor* weights, const BlockShape& shape);
  // The kept copy, or null.
  InterleavedTensor* find(const ggml_tensor* weights) const;

 private:
  std::unordered_map<const void*, std::unique_ptr<InterleavedTensor>> tensors_;
};

// A new copy of a panel, for as long as this thread asks for no other.
const uint8_t* copy_panel(const uint8_t* rows, size_t stride, const BlockShape& shape);
