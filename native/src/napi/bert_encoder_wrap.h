#pragma once

#include <napi.h>

#include <memory>

#include "encoder/bert_encoder.h"

// A BertEncoder as a JavaScript object; it computes on the calling thread.
class BertEncoderWrap : public Napi::ObjectWrap<BertEncoderWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  // Copies its arguments, which native/bert-encoder.ts has validated.
  explicit BertEncoderWrap(const Napi::CallbackInfo& info);

 private:
  static Napi::Value is_supported(const Napi::CallbackInfo& info);
  Napi::Value encode(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  std::unique_ptr<BertEncoder> encoder_;
};
