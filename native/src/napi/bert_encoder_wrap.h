#pragma once

#include <napi.h>

#include <memory>

#include "encoder/bert_encoder.h"

// A BertEncoder as JavaScript holds it; used on the thread that calls.
class BertEncoderWrap : public Napi::ObjectWrap<BertEncoderWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  // Takes what native/bert-encoder.ts has checked, and copies it.
  explicit BertEncoderWrap(const Napi::CallbackInfo& info);

 private:
  static Napi::Value is_supported(const Napi::CallbackInfo& info);
  Napi::Value encode(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  std::unique_ptr<BertEncoder> encoder_;
};
