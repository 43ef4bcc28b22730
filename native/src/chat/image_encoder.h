#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "chat/preparation_limits.h"
#include "llama.h"

// A decoded image: RGB, 8 bits, line by line.
struct RawImage {
  std::vector<uint8_t> pixels;  // [height, width, 3]
  uint32_t width = 0;
  uint32_t height = 0;
  // A keyed digest of the pixels and their size. Equal images have equal identities, and different ones never.
  std::array<uint32_t, 8> identity{};
};

// An image as a prompt contains it. Ids below 0 stand for rows of `embeddings`, in their order; other ids are tokens that
// the model expects around an image and between its parts.
struct ImageTokens {
  std::vector<llama_token> tokens;
  std::vector<float> embeddings;  // [ids below 0, width]; empty if the image was only counted.
};

// Turns images into embeddings for a text model with a projector file (mmproj), through llama.cpp's multimodal library. It
// gets raw pixels only, so none of that library's decoders reads what a caller sends. Thread-safe.
class ImageEncoder {
 public:
  // Throws ERR_MODEL_LOAD, also for projectors that need positions or masks that a step does not have.
  ImageEncoder(const std::string& path, const llama_model* model, int32_t threads, bool use_gpu);
  ~ImageEncoder();
  ImageEncoder(const ImageEncoder&) = delete;
  ImageEncoder& operator=(const ImageEncoder&) = delete;

  // The maximum tokens that an image with sides of at most `kSideMax` takes.
  int32_t tokens_max() const { return tokens_max_; }
  int32_t width() const { return width_; }

  // `counts`: return the ids only, without computing embeddings. One image at a time: others wait.
  // Throws ERR_OUT_OF_RANGE, ERR_DECODE, ERR_ABORTED.
  ImageTokens encode(const RawImage& image, bool counts, const PreparationLimits& limits);

  static constexpr uint32_t kSideMax = 2048;

 private:
  ImageTokens tokenize(const RawImage& image, bool counts);

  struct Library;
  std::unique_ptr<Library> library_;
  int32_t width_ = 0;
  int32_t tokens_max_ = 0;
  std::mutex mutex_;
};
