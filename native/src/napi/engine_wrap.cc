#include "napi/engine_wrap.h"

#include <cstring>
#include <utility>

#include "base/coded_error.h"
#include "common.h"
#include "napi/chat_wrap.h"
#include "napi/images_wrap.h"
#include "napi/js_error.h"
#include "napi/options_wrap.h"
#include "napi/sampling_wrap.h"
#include "platform/exit_gate.h"

namespace {

template <typename Array, typename Element>
Array to_js(Napi::Env env, const std::vector<Element>& values) {
  Array array = Array::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(Element));
  return array;
}

// Long preparations yield the processor to work that clients are waiting for.
constexpr int kSlowNiceness = 10;

Napi::Object to_js(Napi::Env env, const PromptBound& bound) {
  Napi::Object per_message = Napi::Object::New(env);
  const auto& costs = bound.tokens_per_message;
  per_message.Set("system", Napi::Number::New(env, static_cast<double>(costs.system)));
  per_message.Set("user", Napi::Number::New(env, static_cast<double>(costs.user)));
  per_message.Set("assistant", Napi::Number::New(env, static_cast<double>(costs.assistant)));
  per_message.Set("tool", Napi::Number::New(env, static_cast<double>(costs.tool)));
  const auto shares = [env](const std::array<double, 256>& values) {
    Napi::Float64Array array = Napi::Float64Array::New(env, values.size());
    std::memcpy(array.Data(), values.data(), values.size() * sizeof(double));
    return array;
  };
  Napi::Object object = Napi::Object::New(env);
  object.Set("byteShares", shares(bound.byte_shares));
  object.Set("textByteShares", shares(bound.text_byte_shares));
  object.Set("tokensPerMessage", per_message);
  object.Set("keepsUserText", bound.keeps_user_text);
  return object;
}

Napi::Object to_js(Napi::Env env, const LlamaEngine& engine) {
  const ModelFacts& facts = engine.facts();
  const VocabularyTable& vocabulary = engine.vocabulary();
  Napi::Object object = Napi::Object::New(env);
  object.Set("architecture", facts.architecture);
  object.Set("description", facts.description);
  object.Set("device", facts.device);
  object.Set("parameterCount", facts.parameter_count);
  object.Set("weightBytes", facts.weight_bytes);
  object.Set("trainedContext", facts.trained_context);
  object.Set("contextPerSequence", facts.context_per_sequence);
  object.Set("sequences", facts.sequences);
  object.Set("stepTokensMax", facts.batch_tokens);
  object.Set("promptTileTokens", facts.prompt_tile_tokens);
  object.Set("draftTokensMax", facts.draft_tokens);
  object.Set("stateBytesFixed", facts.state_bytes_fixed);
  object.Set("stateBytesPerToken", facts.state_bytes_per_token);
  object.Set("canTrim", facts.can_trim);
  object.Set("canSplit", facts.can_split);
  object.Set("supportsTools", facts.supports_tools);
  object.Set("supportsReasoning", facts.supports_reasoning);
  object.Set("supportsInfill", facts.supports_infill);
  object.Set("imageTokensMax", facts.image_tokens_max);
  object.Set("promptBound", to_js(env, engine.chat_format().prompt_bound()));
  object.Set("endTokens", to_js<Napi::Int32Array>(env, vocabulary.end_tokens));
  object.Set("vocabularyBytes", to_js<Napi::Uint8Array>(env, vocabulary.bytes));
  object.Set("vocabularyOffsets", to_js<Napi::Uint32Array>(env, vocabulary.offsets));
  object.Set("vocabularyControl", to_js<Napi::Uint8Array>(env, vocabulary.control));
  return object;
}

}  // namespace

Napi::Function EngineWrap::define(Napi::Env env) {
  return DefineClass(env, "Engine",
                     {
                         InstanceMethod("load", &EngineWrap::load),
                         InstanceMethod("loadProgress", &EngineWrap::load_progress),
                         InstanceMethod("step", &EngineWrap::step),
                         InstanceMethod("beginSampling", &EngineWrap::begin_sampling),
                         InstanceMethod("endSampling", &EngineWrap::end_sampling),
                         InstanceMethod("prepareChat", &EngineWrap::prepare_chat),
                         InstanceMethod("prepareText", &EngineWrap::prepare_text),
                         InstanceMethod("cancelPreparation", &EngineWrap::cancel_preparation),
                         InstanceMethod("tokenize", &EngineWrap::tokenize),
                         InstanceMethod("close", &EngineWrap::close),
                         InstanceMethod("abort", &EngineWrap::abort),
                     });
}

EngineWrap::EngineWrap(const Napi::CallbackInfo& info)
    : ObjectWrap(info),
      js_thread_(std::make_unique<JsThread>(info.Env())),
      work_thread_(std::make_unique<WorkThread>()) {
  // Hooks run in reverse order, so the thread stops before the JsThread that it posts to is destroyed.
  napi_add_env_cleanup_hook(info.Env(), stop_hook, this);
}

EngineWrap::~EngineWrap() {
  napi_remove_env_cleanup_hook(Env(), stop_hook, this);
  stop();
}

void EngineWrap::stop_hook(void* self) { static_cast<EngineWrap*>(self)->stop(); }

void EngineWrap::stop() {
  progress_.cancelled = true;
  if (engine_) engine_->abort();
  for (const auto& [id, stop] : preparations_) *stop = true;
  quick_preparations_ = nullptr;
  slow_preparations_ = nullptr;
  work_thread_ = nullptr;
  engine_ = nullptr;
  js_thread_ = nullptr;
}

template <typename Result>
Napi::Promise EngineWrap::post(Napi::Env env, WorkThread& thread, std::function<Result()> compute,
                               std::function<Napi::Value(Napi::Env, const Result&)> convert) {
  struct Call {
    Napi::Promise::Deferred deferred;
    std::function<Result()> compute;
    std::function<Napi::Value(Napi::Env, const Result&)> convert;
    std::optional<Result> result;
    std::exception_ptr failure;
  };
  auto call = std::make_shared<Call>(
      Call{Napi::Promise::Deferred::New(env), std::move(compute), std::move(convert), std::nullopt, nullptr});
  if (pending_++ == 0) {
    Ref();
    js_thread_->hold(env);
  }
  thread.post([this, call] {
    try {
      call->result.emplace(call->compute());
    } catch (...) {
      call->failure = std::current_exception();
    }
    js_thread_->post([this, call](Napi::Env js) {
      if (--pending_ == 0) {
        js_thread_->release(js);
        Unref();
      }
      try {
        if (call->failure) throw Napi::Error(js, to_js_error(js, call->failure));
        call->deferred.Resolve(call->convert(js, *call->result));
      } catch (const Napi::Error& error) {
        call->deferred.Reject(error.Value());
      }
    });
  });
  return call->deferred.Promise();
}

LlamaEngine& EngineWrap::require_engine(Napi::Env env) const {
  if (!engine_) throw Napi::Error::New(env, "the engine is not loaded");
  return *engine_;
}

Napi::Value EngineWrap::load(const Napi::CallbackInfo& info) {
  const ModelOptions options = read_model_options(info[0].As<Napi::Object>());
  const auto slow_threads = info[0].As<Napi::Object>().Get("preparationThreads").As<Napi::Number>().Uint32Value();
  return post<std::shared_ptr<LlamaEngine>>(
      info.Env(), *work_thread_,
      [this, options] {
        load_cpu_backend();
        const ComputePass pass(progress_.cancelled);
        auto engine = std::make_shared<LlamaEngine>(options, progress_);
        close_gate_at_exit();
        return engine;
      },
      [this, slow_threads](Napi::Env env, const std::shared_ptr<LlamaEngine>& engine) -> Napi::Value {
        WorkThreadOptions threads{
            .count = 1, .stack_bytes = kPreparationStackBytes, .niceness = 0, .releases_stack = true};
        quick_preparations_ = std::make_unique<WorkThread>(threads);
        threads.count = slow_threads;
        threads.niceness = kSlowNiceness;
        slow_preparations_ = std::make_unique<WorkThread>(threads);
        engine_ = engine;
        return to_js(env, *engine);
      });
}

Napi::Value EngineWrap::load_progress(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), progress_.fraction);
}

Napi::Value EngineWrap::step(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  LlamaEngine& engine = require_engine(env);
  if (step_in_flight_) throw Napi::Error::New(env, "a step is in flight");
  const auto packed = info[0].As<Napi::Int32Array>();
  const size_t length = info[1].As<Napi::Number>().Uint32Value();
  with_js_errors(env, [&] {
    if (length > packed.ElementLength()) throw CodedError("ERR_OUT_OF_RANGE", "length exceeds the packed step");
    plan_.parse({packed.Data(), length}, engine.limits());
  });
  step_in_flight_ = true;
  struct Finished {
    StepOutcome outcome;
    std::exception_ptr failure;
  };
  // A failed step must also return through `convert`, because only `convert` may clear the flag.
  return post<Finished>(
      env, *work_thread_,
      [this, &engine] {
        Finished finished;
        try {
          // The sequence has no sampler now and would continue greedily, without its grammar.
          if (sampling_failure_) std::rethrow_exception(std::exchange(sampling_failure_, nullptr));
          engine.run(plan_, finished.outcome);
        } catch (...) {
          finished.failure = std::current_exception();
        }
        return finished;
      },
      [this](Napi::Env js, const Finished& finished) -> Napi::Value {
        step_in_flight_ = false;
        if (finished.failure) throw Napi::Error(js, to_js_error(js, finished.failure));
        const StepOutcome& outcome = finished.outcome;
        return pack_sampled(js, outcome.drawn, outcome.sampled,
                            {outcome.decode_micros, outcome.product_micros, outcome.attention_micros,
                             outcome.sample_micros, outcome.threads});
      });
}

void EngineWrap::begin_sampling(const Napi::CallbackInfo& info) {
  LlamaEngine& engine = require_engine(info.Env());
  with_js_errors(info.Env(), [&] {
    const int32_t sequence = info[0].As<Napi::Number>().Int32Value();
    const SamplingParameters parameters = read_sampling(info[1].As<Napi::Object>());
    std::shared_ptr<const PreparedChat> chat;
    if (info[2].IsObject()) {
      const auto* prepared = PreparedChatWrap::Unwrap(info[2].As<Napi::Object>());
      // The grammar refers to the vocabulary of the model that prepared it.
      if (prepared->engine() != engine_) {
        throw Napi::TypeError::New(info.Env(), "the chat was prepared by another model");
      }
      chat = prepared->chat();
    }
    work_thread_->post([this, &engine, sequence, parameters, chat] {
      try {
        engine.begin_sampling(sequence, parameters, chat);
      } catch (...) {
        sampling_failure_ = std::current_exception();
      }
    });
  });
}

void EngineWrap::end_sampling(const Napi::CallbackInfo& info) {
  LlamaEngine& engine = require_engine(info.Env());
  work_thread_->post([&engine] { engine.end_sampling(); });
}

Napi::Value EngineWrap::prepare_chat(const Napi::CallbackInfo& info) {
  auto images = std::make_shared<ChatImages>(read_images(info[4].As<Napi::Array>(), info[5].As<Napi::Boolean>()));
  images->encoder = require_engine(info.Env()).images();
  return prepare(info,
                 [images](const ChatFormat& format, const std::string& request, const PreparationLimits& limits) {
                   return format.prepare(request, *images, limits);
                 });
}

Napi::Value EngineWrap::prepare_text(const Napi::CallbackInfo& info) {
  const bool add_special = info[4].As<Napi::Boolean>();
  const std::optional<std::string> after =
      info[5].IsString() ? std::optional(info[5].As<Napi::String>().Utf8Value()) : std::nullopt;
  return prepare(info, [=](const ChatFormat& format, const std::string& text, const PreparationLimits& limits) {
    return format.prepare_text(text, after, add_special, limits);
  });
}

Napi::Value EngineWrap::prepare(const Napi::CallbackInfo& info, Prepare compute) {
  const Napi::Env env = info.Env();
  require_engine(env);
  const uint32_t id = info[0].As<Napi::Number>().Uint32Value();
  auto input = std::make_shared<const std::string>(info[1].As<Napi::String>().Utf8Value());
  const size_t tokens_max = info[2].As<Napi::Number>().Uint32Value();
  WorkThread& threads = info[3].As<Napi::Boolean>() ? *slow_preparations_ : *quick_preparations_;
  std::shared_ptr<LlamaEngine> engine = engine_;
  auto stop = std::make_shared<std::atomic<bool>>(false);
  preparations_[id] = stop;
  struct Finished {
    std::shared_ptr<const PreparedChat> chat;
    std::exception_ptr failure;
  };
  return post<Finished>(
      env, threads,
      [engine, input, compute = std::move(compute), tokens_max, stop] {
        Finished finished;
        try {
          const ComputePass pass(*stop);
          const PreparationLimits limits{tokens_max, *stop};
          limits.poll();
          finished.chat = compute(engine->chat_format(), *input, limits);
        } catch (...) {
          finished.failure = std::current_exception();
        }
        return finished;
      },
      [this, id, engine](Napi::Env js, const Finished& finished) -> Napi::Value {
        preparations_.erase(id);
        if (finished.failure) throw Napi::Error(js, to_js_error(js, finished.failure));
        return PreparedChatWrap::wrap(js, finished.chat, engine);
      });
}

void EngineWrap::cancel_preparation(const Napi::CallbackInfo& info) {
  const auto found = preparations_.find(info[0].As<Napi::Number>().Uint32Value());
  if (found != preparations_.end()) *found->second = true;
}

Napi::Value EngineWrap::tokenize(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  LlamaEngine& engine = require_engine(env);
  return with_js_errors(env, [&]() -> Napi::Value {
    const auto tokens = common_tokenize(engine.vocab(), info[0].As<Napi::String>().Utf8Value(),
                                        info[1].As<Napi::Boolean>(), info[2].As<Napi::Boolean>());
    return to_js<Napi::Int32Array>(env, tokens);
  });
}

Napi::Value EngineWrap::close(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (step_in_flight_) throw Napi::Error::New(env, "cannot close while a step is in flight");
  auto engine = std::make_shared<std::shared_ptr<LlamaEngine>>(std::move(engine_));
  engine_ = nullptr;
  return post<bool>(
      env, *work_thread_,
      [engine] {
        std::atomic<bool> unstoppable{false};
        const ComputePass pass(unstoppable);
        engine->reset();
        return true;
      },
      [](Napi::Env js, const bool&) -> Napi::Value { return js.Undefined(); });
}

void EngineWrap::abort(const Napi::CallbackInfo&) {
  progress_.cancelled = true;
  if (engine_) engine_->abort();
}
