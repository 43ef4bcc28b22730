#include "chat/image_encoder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "mtmd.h"

namespace {

// Sizes by which the tokens of an image are bounded: projectors that take images in their own proportions make the most
// tokens of large squares and of long strips.
constexpr std::array<std::pair<uint32_t, uint32_t>, 7> kTrialSizes{
    {{1, 1}, {4, 4}, {4, 3}, {3, 4}, {4, 2}, {4, 1}, {1, 4}}};

// Ids below 0. The first eight contain all bits of the identity but one each, so that prompts with different images differ;
// the key of the digest is secret, so a caller cannot make two images whose first ids are equal.
llama_token position_id(const RawImage& image, size_t position) {
  uint32_t bits = image.identity[position % image.identity.size()];
  bits ^= static_cast<uint32_t>(position / image.identity.size()) * 0x9e3779b1u;
  return -1 - static_cast<llama_token>(bits & 0x7fffffffu);
}

std::string reason_of(const LogCapture& log) {
  const std::string reason = log.reason();
  return reason.empty() ? "llama.cpp gave no reason" : reason;
}

}  // namespace

struct ImageEncoder::Library {
  mtmd::context_ptr context;
};

ImageEncoder::ImageEncoder(const std::string& path, const llama_model* model, int32_t threads, bool use_gpu)
    : library_(std::make_unique<Library>()), width_(llama_model_n_embd_inp(model)) {
  const LogCapture log;
  mtmd_context_params parameters = mtmd_context_params_default();
  parameters.use_gpu = use_gpu;
  parameters.print_timings = false;
  parameters.n_threads = threads;
  try {
    library_->context.reset(mtmd_init_from_file(path.c_str(), model, parameters));
  } catch (const std::exception& error) {
    throw CodedError("ERR_MODEL_LOAD", std::string("the projector: ") + error.what());
  }
  mtmd_context* context = library_->context.get();
  if (context == nullptr) throw CodedError("ERR_MODEL_LOAD", "the projector: " + reason_of(log));
  if (!mtmd_support_vision(context)) throw CodedError("ERR_MODEL_LOAD", "the projector takes no images");
  if (mtmd_decode_use_mrope(context)) {
    throw CodedError("ERR_MODEL_LOAD", "the projector needs positions in two dimensions (M-RoPE), which are not supported");
  }
  if (mtmd_decode_use_non_causal(context, nullptr)) {
    throw CodedError("ERR_MODEL_LOAD", "the projector needs attention in both directions, which is not supported");
  }
  for (const auto& [width, height] : kTrialSizes) {
    RawImage trial;
    trial.width = width * (kSideMax / 4);
    trial.height = height * (kSideMax / 4);
    tokens_max_ = std::max(tokens_max_, static_cast<int32_t>(tokenize(trial, true).tokens.size()));
  }
}

ImageEncoder::~ImageEncoder() = default;

ImageTokens ImageEncoder::encode(const RawImage& image, bool counts, const PreparationLimits& limits) {
  const bool fits = image.width >= 1 && image.height >= 1 && image.width <= kSideMax && image.height <= kSideMax;
  if (!fits || image.pixels.size() != size_t{3} * image.width * image.height) {
    throw CodedError("ERR_OUT_OF_RANGE", "an image must have sides of 1…" + std::to_string(kSideMax) + " pixels, in RGB");
  }
  limits.poll();
  const std::lock_guard lock(mutex_);
  limits.poll();
  ImageTokens encoded = tokenize(image, counts);
  if (encoded.tokens.size() > static_cast<size_t>(tokens_max_)) {
    throw CodedError("ERR_OUT_OF_RANGE", "the image takes more tokens than any expected size");
  }
  return encoded;
}

ImageTokens ImageEncoder::tokenize(const RawImage& image, bool counts) {
  const LogCapture log;
  mtmd_context* context = library_->context.get();
  const mtmd::bitmap bitmap(image.width, image.height, counts ? nullptr : image.pixels.data());
  const mtmd_input_part part{nullptr, bitmap.ptr.get()};
  const mtmd_input_part* parts[] = {&part};
  const mtmd::input_chunks chunks(mtmd_input_chunks_init());
  if (mtmd_tokenize_from_parts(context, chunks.ptr.get(), parts, 1, false) != 0) {
    throw CodedError("ERR_DECODE", "the image cannot be prepared: " + reason_of(log));
  }
  ImageTokens encoded;
  size_t position = 0;
  for (size_t index = 0; index < chunks.size(); ++index) {
    const mtmd_input_chunk* chunk = chunks[index];
    size_t count = 0;
    if (mtmd_input_chunk_get_type(chunk) == MTMD_INPUT_CHUNK_TYPE_TEXT) {
      const llama_token* tokens = mtmd_input_chunk_get_tokens_text(chunk, &count);
      encoded.tokens.insert(encoded.tokens.end(), tokens, tokens + count);
      continue;
    }
    count = mtmd_input_chunk_get_n_tokens(chunk);
    for (size_t row = 0; row < count; ++row) encoded.tokens.push_back(position_id(image, position++));
    if (counts) continue;
    if (mtmd_encode_chunk(context, chunk) != 0) {
      throw CodedError("ERR_DECODE", "the image cannot be encoded: " + reason_of(log));
    }
    const float* rows = mtmd_get_output_embd(context);
    const size_t values = count * static_cast<size_t>(width_);
    if (!std::all_of(rows, rows + values, [](float value) { return std::isfinite(value); })) {
      throw CodedError("ERR_LOGITS_INVALID", "the projector computed NaN");
    }
    encoded.embeddings.insert(encoded.embeddings.end(), rows, rows + values);
    std::fill(mtmd_get_output_embd(context), mtmd_get_output_embd(context) + values, 0.0f);
  }
  return encoded;
}
