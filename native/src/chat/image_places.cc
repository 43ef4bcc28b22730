#include "chat/image_places.h"

#include <string_view>

#include "base/coded_error.h"

namespace {

constexpr std::string_view kPlace = "\xEF\xB7\x92";

std::vector<std::string> cut_at_places(const std::string& rendered) {
  std::vector<std::string> texts;
  size_t from = 0;
  for (size_t at = rendered.find(kPlace); at != std::string::npos; at = rendered.find(kPlace, from)) {
    texts.push_back(rendered.substr(from, at - from));
    from = at + kPlace.size();
  }
  texts.push_back(rendered.substr(from));
  return texts;
}

size_t count_tokens(const ChatImages& images, const PreparationLimits& limits) {
  size_t count = 0;
  for (const RawImage& image : images.images) count += images.encoder->encode(image, true, limits).tokens.size();
  return count;
}

void append(PlacedImages& placed, const std::vector<llama_token>& tokens, int32_t& row) {
  for (const llama_token token : tokens) {
    placed.tokens.tokens.push_back(token);
    placed.embedding_rows.push_back(token < 0 ? row++ : -1);
  }
}

}  // namespace

PlacedImages tokenize_with_images(const ControlText& text, const llama_vocab* vocab, const std::string& rendered,
                                  const ChatImages& images, const PreparationLimits& limits) {
  if (images.encoder == nullptr) throw CodedError("ERR_CHAT_TEMPLATE", "this model takes no images");
  const std::vector<std::string> texts = cut_at_places(rendered);
  if (texts.size() != images.images.size() + 1) {
    throw CodedError("ERR_CHAT_TEMPLATE", "the chat template does not keep the places of images in messages");
  }
  std::vector<std::vector<llama_token>> pieces;
  size_t counted = count_tokens(images, limits);
  for (const std::string& piece : texts) {
    ControlText::Tokens tokens = text.tokenize(piece, limits, false);
    counted += tokens.at_least > 0 ? tokens.at_least : tokens.tokens.size();
    if (limits.tokens_max > 0 && counted > limits.tokens_max) return {{{}, counted}, {}, {}};
    pieces.push_back(std::move(tokens.tokens));
  }
  PlacedImages placed;
  int32_t row = 0;
  if (llama_vocab_get_add_bos(vocab)) append(placed, {llama_vocab_bos(vocab)}, row);
  append(placed, pieces.front(), row);
  for (size_t index = 0; index < images.images.size(); ++index) {
    ImageTokens image = images.encoder->encode(images.images[index], images.counts, limits);
    append(placed, image.tokens, row);
    placed.embeddings.insert(placed.embeddings.end(), image.embeddings.begin(), image.embeddings.end());
    append(placed, pieces[index + 1], row);
  }
  if (llama_vocab_get_add_eos(vocab)) append(placed, {llama_vocab_eos(vocab)}, row);
  return placed;
}
