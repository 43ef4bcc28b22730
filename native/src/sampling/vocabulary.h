#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llama.h"

// The bytes of every token: token t is bytes[offsets[t]] … bytes[offsets[t + 1]].
struct VocabularyTable {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> offsets;
  std::vector<uint8_t> control;
  std::vector<int32_t> end_tokens;
};

VocabularyTable read_vocabulary(const llama_vocab* vocab);
