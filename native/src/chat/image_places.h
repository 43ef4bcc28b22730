#pragma once

#include <vector>

#include "chat/control_text.h"
#include "chat/image_encoder.h"

// The images of a chat, in the order of the places that its messages have for them.
struct ChatImages {
  ImageEncoder* encoder = nullptr;  // Null: the model takes no images.
  std::vector<RawImage> images;
  bool counts = false;  // Only the tokens are needed, not the embeddings.
};

struct PlacedImages {
  ControlText::Tokens tokens;
  std::vector<float> embeddings;        // [ids below 0, width]
  std::vector<int32_t> embedding_rows;  // Per token: its row of `embeddings`, or -1.
};

// Tokenizes a rendered chat in which U+FDD2, a noncharacter, stands where an image goes. The result equals that of llama.cpp's
// server, which also tokenizes the texts between images on their own. Any thread. Throws ERR_CHAT_TEMPLATE if the template dropped
// or repeated a place, and as ControlText::tokenize and ImageEncoder::encode.
PlacedImages tokenize_with_images(const ControlText& text, const llama_vocab* vocab, const std::string& rendered,
                                  const ChatImages& images, const PreparationLimits& limits);
