#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

// Bytes of a caller's context: excluded from core dumps, and zeroed before the memory is reused.
class SecretBytes {
 public:
  // capacity must not be 0. Throws std::bad_alloc.
  explicit SecretBytes(size_t capacity);
  SecretBytes(SecretBytes&&) = default;
  SecretBytes& operator=(SecretBytes&&) = default;

  uint8_t* data() { return bytes_.get(); }
  size_t capacity() const { return bytes_.get_deleter().capacity; }
  size_t size() const { return size_; }
  std::span<const uint8_t> span() const { return {bytes_.get(), size_}; }
  // size must not exceed the capacity.
  void resize(size_t size) { size_ = size; }
  void wipe();

 private:
  struct Unmap {
    size_t capacity;
    void operator()(uint8_t* bytes) const;
  };
  std::unique_ptr<uint8_t[], Unmap> bytes_;
  size_t size_ = 0;
};

// States of sequences in host memory, by the caller's number for each. Keeps the zeroed memory of some dropped states,
// because fresh pages from the kernel take longer than copying a state.
class SavedStates {
 public:
  // Memory for a state of `size` bytes; its capacity may be larger.
  SecretBytes take(size_t size);
  void give_back(SecretBytes bytes);

  void save(int32_t state, SecretBytes bytes);
  // Null if no state is saved under this number.
  SecretBytes* find(int32_t state);
  void drop(int32_t state);

 private:
  std::unordered_map<int32_t, SecretBytes> saved_;
  std::vector<SecretBytes> spare_;
  size_t spare_bytes_ = 0;
};
