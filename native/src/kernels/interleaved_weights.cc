#include "kernels/interleaved_weights.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/line_memory.h"
#include "ggml-backend.h"

namespace {

// Memory of zeros that takes no space before it is written, in huge pages.
uint8_t* map_memory(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  madvise(memory, size, MADV_HUGEPAGE);
  return static_cast<uint8_t*>(memory);
}

bool is_part_of_model(const ggml_tensor* tensor) {
  return tensor->view_src == nullptr && tensor->buffer != nullptr &&
         ggml_backend_buffer_get_usage(tensor->buffer) == GGML_BACKEND_BUFFER_USAGE_WEIGHTS;
}

// Whether the tensor is a part of a file that llama.cpp has mapped: its memory can be read from there again.
bool is_mapped_file(const ggml_tensor* tensor) {
  return std::strcmp(ggml_backend_buft_name(ggml_backend_buffer_get_type(tensor->buffer)), "CPU_Mapped") == 0;
}

}  // namespace

InterleavedTensor::InterleavedTensor(const ggml_tensor* weights, const BlockShape& shape)
    : weights_(weights),
      shape_(shape),
      panel_bytes_(shape.panel_bytes(shape.blocks_of(weights->nb[1]))),
      panels_(ggml_nrows(weights) / kPanelRows),
      size_(static_cast<size_t>(panels_) * panel_bytes_),
      memory_(map_memory(size_)),
      is_copied_(static_cast<size_t>(panels_)) {}

InterleavedTensor::~InterleavedTensor() { munmap(memory_, size_); }

const uint8_t* InterleavedTensor::panel(const uint8_t* rows) {
  const size_t stride = weights_->nb[1];
  const auto index = (rows - static_cast<const uint8_t*>(weights_->data)) / static_cast<int64_t>(stride) / kPanelRows;
  uint8_t* found = memory_ + static_cast<size_t>(index) * panel_bytes_;
  if (is_copied_[static_cast<size_t>(index)] == 0) {
    shape_.interleave(rows, stride, found);
    is_copied_[static_cast<size_t>(index)] = 1;
    if (copied_.fetch_add(1) + 1 == panels_) release_original();
  }
  return found;
}

void InterleavedTensor::copy_row(int64_t row, uint8_t* to) const {
  const auto index = static_cast<size_t>(row / kPanelRows);
  const size_t stride = weights_->nb[1];
  if (index < is_copied_.size() && is_copied_[index] != 0) {
    shape_.copy_row(memory_ + index * panel_bytes_, shape_.blocks_of(stride), row % kPanelRows, to);
  } else {
    std::memcpy(to, static_cast<const uint8_t*>(weights_->data) + static_cast<size_t>(row) * stride, stride);
  }
}

// The pages of the file stay in the page cache.
void InterleavedTensor::release_original() const {
  if (!is_mapped_file(weights_)) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), from = reinterpret_cast<uintptr_t>(weights_->data);
  const uintptr_t first = (from + page - 1) / page * page, last = (from + ggml_nbytes(weights_)) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void InterleavedWeights::keep(const ggml_tensor* weights, const BlockShape& shape) {
  if (!is_part_of_model(weights)) return;
  auto& tensor = tensors_[weights->data];
  if (tensor == nullptr) tensor = std::make_unique<InterleavedTensor>(weights, shape);
}

InterleavedTensor* InterleavedWeights::find(const ggml_tensor* weights) const {
  const auto found = tensors_.find(weights->data);
  return found == tensors_.end() ? nullptr : found->second.get();
}

const uint8_t* copy_panel(const uint8_t* rows, size_t stride, const BlockShape& shape) {
  static thread_local LineMemory<uint8_t> copy;
  const size_t size = shape.panel_bytes(shape.blocks_of(stride));
  if (copy.size() < size) copy = LineMemory<uint8_t>(size);
  shape.interleave(rows, stride, copy.data());
  return copy.data();
}
