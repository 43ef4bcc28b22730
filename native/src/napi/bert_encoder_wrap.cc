#include "napi/bert_encoder_wrap.h"

#include <algorithm>
#include <span>

#include "napi/js_error.h"

namespace {

// Valid until JavaScript runs again.
template <typename Element>
std::span<const Element> view(const Napi::Value& value) {
  const auto array = value.As<Napi::TypedArrayOf<Element>>();
  return {array.Data(), array.ElementLength()};
}

template <typename Element>
LineMemory<Element> copy(const Napi::Value& value) {
  const std::span<const Element> values = view<Element>(value);
  LineMemory<Element> memory(values.size());
  std::copy(values.begin(), values.end(), memory.data());
  return memory;
}

WordTable read_words(const Napi::Value& value) {
  WordTable table;
  if (value.IsTypedArray()) {
    table.values = copy<float>(value);
    return table;
  }
  const auto object = value.As<Napi::Object>();
  table.bytes = copy<int8_t>(object.Get("bytes"));
  table.scale = object.Get("scale").As<Napi::Number>();
  table.zero = object.Get("zeroPoint").As<Napi::Number>();
  return table;
}

BertNorm read_norm(const Napi::Value& value) {
  const auto object = value.As<Napi::Object>();
  return {copy<float>(object.Get("scale")), copy<float>(object.Get("shift"))};
}

DenseMatrix read_dense(const Napi::Value& value) {
  const auto object = value.As<Napi::Object>();
  const auto weights = object.Get("weights").As<Napi::TypedArray>();
  const std::span<const float> bias = view<float>(object.Get("bias"));
  if (weights.TypedArrayType() == napi_float32_array) return {view<float>(weights), bias};
  const std::span<const float> scales = view<float>(object.Get("scales"));
  return {view<int8_t>(weights), scales, view<int32_t>(object.Get("zeroPoints")), bias};
}

BertLayer read_layer(const Napi::Value& value) {
  const auto object = value.As<Napi::Object>();
  const auto dense = [&](const char* name) { return read_dense(object.Get(name)); };
  return {.inputs = {dense("query"), dense("key"), dense("value")},
          .attended = dense("attended"),
          .attention_norm = read_norm(object.Get("attentionNorm")),
          .up = dense("up"),
          .down = dense("down"),
          .output_norm = read_norm(object.Get("outputNorm"))};
}

BertWeights read_weights(const Napi::Object& object) {
  BertWeights weights;
  weights.width = object.Get("width").As<Napi::Number>();
  weights.heads = object.Get("heads").As<Napi::Number>();
  weights.first_position = object.Get("firstPosition").As<Napi::Number>();
  if (const Napi::Value padding = object.Get("paddingToken"); !padding.IsUndefined()) {
    weights.padding_token = padding.As<Napi::Number>();
  }
  weights.epsilon = object.Get("epsilon").As<Napi::Number>();
  weights.words = read_words(object.Get("words"));
  weights.places = copy<float>(object.Get("places"));
  if (const Napi::Value kind = object.Get("kind"); !kind.IsUndefined()) {
    const std::span<const float> added = view<float>(kind);
    for (size_t index = 0; index < weights.places.size(); ++index) {
      weights.places.data()[index] += added[index % added.size()];
    }
  }
  weights.norm = read_norm(object.Get("norm"));
  const auto layers = object.Get("layers").As<Napi::Array>();
  for (uint32_t index = 0; index < layers.Length(); ++index) weights.layers.push_back(read_layer(layers.Get(index)));
  return weights;
}

}  // namespace

Napi::Function BertEncoderWrap::define(Napi::Env env) {
  return DefineClass(env, "BertEncoder",
                     {
                         StaticMethod("isSupported", &BertEncoderWrap::is_supported),
                         InstanceMethod("encode", &BertEncoderWrap::encode),
                         InstanceMethod("close", &BertEncoderWrap::close),
                     });
}

BertEncoderWrap::BertEncoderWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const int64_t threads = info[1].As<Napi::Number>();
  encoder_ = with_js_errors(info.Env(), [&] {
    return std::make_unique<BertEncoder>(read_weights(info[0].As<Napi::Object>()), static_cast<size_t>(threads));
  });
}

Napi::Value BertEncoderWrap::is_supported(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), BertEncoder::is_supported());
}

Napi::Value BertEncoderWrap::encode(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!encoder_) throw Napi::Error::New(env, "the encoder is closed");
  return with_js_errors(env, [&]() -> Napi::Value {
    const std::span<const int32_t> tokens = view<int32_t>(info[0]), lengths = view<int32_t>(info[1]);
    auto hidden = Napi::Float32Array::New(env, tokens.size() * static_cast<size_t>(encoder_->width()));
    encoder_->encode(tokens, lengths, hidden.Data());
    return hidden;
  });
}

Napi::Value BertEncoderWrap::close(const Napi::CallbackInfo& info) {
  encoder_ = nullptr;
  return info.Env().Undefined();
}
