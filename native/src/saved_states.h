#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

// Bytes that held a caller's context: zeroed before their memory goes back.
class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(size_t size);
  SecretBytes(SecretBytes&&) = default;
  SecretBytes& operator=(SecretBytes&&) = default;

  uint8_t* data() { return bytes_.get(); }
  size_t size() const { return bytes_ ? bytes_.get_deleter().size : 0; }

 private:
  struct Wipe {
    size_t size = 0;
    void operator()(uint8_t* bytes) const;
  };
  std::unique_ptr<uint8_t[], Wipe> bytes_;
};

// States of sequences in host memory, by the caller's number for each.
using SavedStates = std::unordered_map<int32_t, SecretBytes>;
