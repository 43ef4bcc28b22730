#include "saved_states.h"

#include <cstring>

SecretBytes::SecretBytes(size_t size) : bytes_(new uint8_t[size], Wipe{size}) {}

void SecretBytes::Wipe::operator()(uint8_t* bytes) const {
  explicit_bzero(bytes, size);
  delete[] bytes;
}
