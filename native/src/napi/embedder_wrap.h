#pragma once

#include <napi.h>

#include <memory>

#include "chat/text_tokenizer.h"
#include "engine/llama_embedder.h"

// A LlamaEmbedder as a JavaScript object: loaded and freed on libuv's pool, used on the calling thread.
class EmbedderWrap : public Napi::ObjectWrap<EmbedderWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit EmbedderWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {}

 private:
  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value load_progress(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value embed(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  LlamaEmbedder& require_embedder(Napi::Env env) const;

  // Shared with the loading thread, because this object may be collected before loading ends.
  std::shared_ptr<LoadProgress> progress_ = std::make_shared<LoadProgress>();
  std::shared_ptr<LlamaEmbedder> embedder_;
  std::shared_ptr<const TextTokenizer> tokenizer_;  // Tokenizer of the embedder's vocabulary.
};
