#include "napi/embedder_wrap.h"

#include <cstring>
#include <span>

#include "base/coded_error.h"
#include "base/work_thread.h"
#include "napi/js_error.h"
#include "napi/options_wrap.h"
#include "napi/promise_worker.h"
#include "platform/exit_gate.h"
#include "platform/network_fence.h"

namespace {

Napi::Object to_js(Napi::Env env, const EmbedderFacts& facts) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("architecture", facts.architecture);
  object.Set("tokenizer", facts.tokenizer);
  object.Set("description", facts.description);
  object.Set("device", facts.device);
  object.Set("trainedContext", facts.trained_context);
  object.Set("vocabularySize", facts.vocabulary);
  object.Set("dimensions", facts.dimensions);
  return object;
}

// Runs work on a deep stack and waits for it: some of llama.cpp's pre-tokenisers recurse once per character, and a
// JavaScript thread's stack is small.
std::vector<llama_token> on_deep_stack(size_t bytes, const std::function<std::vector<llama_token>()>& tokenize) {
  constexpr size_t kShallowBytes = 8 * 1024;
  if (bytes <= kShallowBytes) return tokenize();
  std::vector<llama_token> tokens;
  std::exception_ptr failure;
  const auto body = [&] {
    try {
      tokens = tokenize();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  { const DeepThread thread(body, kPreparationStackBytes); }
  if (failure) std::rethrow_exception(failure);
  return tokens;
}

// Valid until JavaScript runs again.
std::span<const int32_t> view(const Napi::Value& value) {
  const auto array = value.As<Napi::Int32Array>();
  return {array.Data(), array.ElementLength()};
}

}  // namespace

Napi::Function EmbedderWrap::define(Napi::Env env) {
  return DefineClass(env, "Embedder",
                     {
                         InstanceMethod("load", &EmbedderWrap::load),
                         InstanceMethod("loadProgress", &EmbedderWrap::load_progress),
                         InstanceMethod("tokenize", &EmbedderWrap::tokenize),
                         InstanceMethod("embed", &EmbedderWrap::embed),
                         InstanceMethod("close", &EmbedderWrap::close),
                     });
}

LlamaEmbedder& EmbedderWrap::require_embedder(Napi::Env env) const {
  if (!embedder_) throw Napi::Error::New(env, "the embedder is not loaded");
  return *embedder_;
}

Napi::Value EmbedderWrap::load(const Napi::CallbackInfo& info) {
  const auto object = info[0].As<Napi::Object>();
  EmbedderOptions options;
  options.model = read_model_options(object);
  options.pooling = static_cast<enum llama_pooling_type>(object.Get("pooling").As<Napi::Number>().Int32Value());
  options.vocabulary_only = object.Get("vocabularyOnly").As<Napi::Boolean>();
  Ref();  // Keeps this object alive until the model is loaded.
  struct Loaded {
    std::shared_ptr<LlamaEmbedder> embedder;
    std::shared_ptr<const TextTokenizer> tokenizer;
    std::exception_ptr failure;
  };
  return PromiseWorker<Loaded>::run(
      info.Env(),
      [options, progress = progress_] {
        Loaded loaded;
        try {
          load_cpu_backend();
          const ComputePass pass(progress->cancelled);
          loaded.embedder = without_network([&] { return std::make_shared<LlamaEmbedder>(options, *progress); });
          loaded.tokenizer = std::make_shared<const TextTokenizer>(loaded.embedder->vocab());
          close_gate_at_exit();
        } catch (...) {
          loaded.failure = std::current_exception();
        }
        return loaded;
      },
      [this](Napi::Env env, const Loaded& loaded) -> Napi::Value {
        Unref();
        if (loaded.failure) throw Napi::Error(env, to_js_error(env, loaded.failure));
        embedder_ = loaded.embedder;
        tokenizer_ = loaded.tokenizer;
        return to_js(env, embedder_->facts());
      });
}

Napi::Value EmbedderWrap::load_progress(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), progress_->fraction);
}

Napi::Value EmbedderWrap::tokenize(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  require_embedder(env);
  const std::string text = info[0].As<Napi::String>().Utf8Value();
  const bool add_special = info[1].As<Napi::Boolean>();
  return with_js_errors(env, [&]() -> Napi::Value {
    const auto tokens = on_deep_stack(text.size(), [&] { return tokenizer_->tokenize(text, add_special); });
    auto array = Napi::Int32Array::New(env, tokens.size());
    if (!tokens.empty()) std::memcpy(array.Data(), tokens.data(), tokens.size() * sizeof(int32_t));
    return array;
  });
}

// Computes on the calling thread, which has nothing else to do and need not be woken. Its helper threads also need a
// stable partner across passes, to measure whether they get a core.
Napi::Value EmbedderWrap::embed(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  LlamaEmbedder& embedder = require_embedder(env);
  return with_js_errors(env, [&]() -> Napi::Value {
    const std::span<const int32_t> tokens = view(info[0]), lengths = view(info[1]);
    embedder.require_fits(tokens, lengths);
    const std::vector<float> vectors = embedder.embed(tokens, lengths);
    auto array = Napi::Float32Array::New(env, vectors.size());
    std::memcpy(array.Data(), vectors.data(), vectors.size() * sizeof(float));
    return array;
  });
}

Napi::Value EmbedderWrap::close(const Napi::CallbackInfo& info) {
  auto embedder = std::make_shared<std::shared_ptr<LlamaEmbedder>>(std::move(embedder_));
  embedder_ = nullptr;
  tokenizer_ = nullptr;
  return PromiseWorker<bool>::run(
      info.Env(),
      [embedder] {
        std::atomic<bool> unstoppable{false};
        const ComputePass pass(unstoppable);
        embedder->reset();
        return true;
      },
      [](Napi::Env env, bool) -> Napi::Value { return env.Undefined(); });
}
