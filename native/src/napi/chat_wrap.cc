#include "napi/chat_wrap.h"

#include <cstring>

#include "engine/llama_engine.h"
#include "napi/instance_data.h"
#include "napi/js_error.h"

namespace {

Napi::Array to_js(Napi::Env env, const std::vector<std::string>& texts) {
  Napi::Array array = Napi::Array::New(env, texts.size());
  for (uint32_t index = 0; index < texts.size(); ++index) array.Set(index, texts[index]);
  return array;
}

Napi::Int32Array to_js(Napi::Env env, const std::vector<int32_t>& values) {
  Napi::Int32Array array = Napi::Int32Array::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(int32_t));
  return array;
}

Napi::Object to_js(Napi::Env env, const ChatDelta& delta) {
  Napi::Array calls = Napi::Array::New(env, delta.tool_calls.size());
  for (uint32_t index = 0; index < delta.tool_calls.size(); ++index) {
    const ChatDelta::ToolCall& call = delta.tool_calls[index];
    Napi::Object converted = Napi::Object::New(env);
    converted.Set("index", Napi::Number::New(env, static_cast<double>(call.index)));
    if (!call.name.empty()) {
      converted.Set("id", call.id);
      converted.Set("name", call.name);
    }
    converted.Set("arguments", call.arguments);
    calls.Set(index, converted);
  }
  Napi::Object converted = Napi::Object::New(env);
  converted.Set("content", delta.content);
  converted.Set("reasoning", delta.reasoning);
  converted.Set("toolCalls", calls);
  return converted;
}

}  // namespace

Napi::Function PreparedChatWrap::define(Napi::Env env) {
  return DefineClass(env, "PreparedChat", {InstanceMethod("createReader", &PreparedChatWrap::create_reader)});
}

PreparedChatWrap::PreparedChatWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {}

Napi::Object PreparedChatWrap::wrap(Napi::Env env, std::shared_ptr<const PreparedChat> chat,
                                    const std::shared_ptr<LlamaEngine>& engine) {
  Napi::Object object = env.GetInstanceData<InstanceData>()->prepared_chat.New({});
  PreparedChatWrap* self = Unwrap(object);
  self->engine_ = engine;
  self->chat_ = std::move(chat);
  object.Set("prompt", self->chat_->prompt);
  object.Set("tokens", to_js(env, self->chat_->tokens));
  object.Set("tokensAtLeast", Napi::Number::New(env, static_cast<double>(self->chat_->tokens_at_least)));
  object.Set("stops", to_js(env, self->chat_->stops));
  object.Set("shownTokens", to_js(env, self->chat_->shown_tokens));
  object.Set("structured", self->chat_->structured);
  object.Set("constrained", self->chat_->grammar != nullptr);
  return object;
}

Napi::Value PreparedChatWrap::create_reader(const Napi::CallbackInfo& info) {
  return info.Env().GetInstanceData<InstanceData>()->chat_reader.New({info.This()});
}

Napi::Function ChatReaderWrap::define(Napi::Env env) {
  return DefineClass(env, "ChatReader", {InstanceMethod("feed", &ChatReaderWrap::feed)});
}

ChatReaderWrap::ChatReaderWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const auto* prepared = PreparedChatWrap::Unwrap(info[0].As<Napi::Object>());
  with_js_errors(info.Env(), [&] { reader_.emplace(prepared->chat()); });
}

Napi::Value ChatReaderWrap::feed(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return with_js_errors(env, [&]() -> Napi::Value {
    return to_js(env, reader_->feed(info[0].As<Napi::String>().Utf8Value(), info[1].As<Napi::Boolean>().Value()));
  });
}
