#pragma once

#include <napi.h>

#include <memory>
#include <optional>

#include "chat/chat_format.h"
#include "chat/chat_reader.h"

class LlamaEngine;

// A PreparedChat as a JavaScript object. It does not keep the model in memory, because its grammar needs the model only
// while an engine uses it.
class PreparedChatWrap : public Napi::ObjectWrap<PreparedChatWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  static Napi::Object wrap(Napi::Env env, std::shared_ptr<const PreparedChat> chat,
                           const std::shared_ptr<LlamaEngine>& engine);
  explicit PreparedChatWrap(const Napi::CallbackInfo& info);

  const std::shared_ptr<const PreparedChat>& chat() const { return chat_; }
  std::shared_ptr<LlamaEngine> engine() const { return engine_.lock(); }

 private:
  Napi::Value create_reader(const Napi::CallbackInfo& info);

  std::weak_ptr<LlamaEngine> engine_;
  std::shared_ptr<const PreparedChat> chat_;
};

class ChatReaderWrap : public Napi::ObjectWrap<ChatReaderWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit ChatReaderWrap(const Napi::CallbackInfo& info);

 private:
  Napi::Value feed(const Napi::CallbackInfo& info);
  std::optional<ChatReader> reader_;
};
