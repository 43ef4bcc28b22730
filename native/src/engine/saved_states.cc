#include "engine/saved_states.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace {

constexpr size_t kSpareBytesMax = size_t{64} << 20;

uint8_t* map_pages(size_t size) {
  // Faulting in one page at a time would take longer than the copy itself.
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  madvise(pages, size, MADV_DONTDUMP);
  return static_cast<uint8_t*>(pages);
}

}  // namespace

SecretBytes::SecretBytes(size_t capacity) : bytes_(map_pages(capacity), Unmap{capacity}) {}

void SecretBytes::wipe() {
  explicit_bzero(data(), size_);
  size_ = 0;
}

void SecretBytes::Unmap::operator()(uint8_t* bytes) const {
  explicit_bzero(bytes, capacity);
  munmap(bytes, capacity);
}

SecretBytes SavedStates::take(size_t size) {
  const size_t needed = std::max<size_t>(1, size);
  const auto fits = [needed](const SecretBytes& bytes) {
    return bytes.capacity() >= needed && bytes.capacity() / 2 <= needed;
  };
  const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
  if (found == spare_.end()) {
    SecretBytes fresh(needed);
    fresh.resize(size);
    return fresh;
  }
  SecretBytes reused = std::move(*found);
  spare_.erase(found);
  spare_bytes_ -= reused.capacity();
  reused.resize(size);
  return reused;
}

void SavedStates::give_back(SecretBytes bytes) {
  if (spare_bytes_ + bytes.capacity() > kSpareBytesMax) return;
  bytes.wipe();
  spare_bytes_ += bytes.capacity();
  spare_.push_back(std::move(bytes));
}

void SavedStates::save(int32_t state, SecretBytes bytes) {
  drop(state);
  saved_.emplace(state, std::move(bytes));
}

SecretBytes* SavedStates::find(int32_t state) {
  const auto found = saved_.find(state);
  return found == saved_.end() ? nullptr : &found->second;
}

void SavedStates::drop(int32_t state) {
  const auto found = saved_.find(state);
  if (found == saved_.end()) return;
  give_back(std::move(found->second));
  saved_.erase(found);
}
