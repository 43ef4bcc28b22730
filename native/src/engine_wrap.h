#pragma once

#include <exception>
#include <memory>
#include <optional>

#include <napi.h>

#include "js_thread.h"
#include "llama_engine.h"
#include "work_thread.h"

// A LlamaEngine and its thread, as JavaScript holds them. Everything that touches the context is queued to that thread
// and runs in the order of the calls.
class EngineWrap : public Napi::ObjectWrap<EngineWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit EngineWrap(const Napi::CallbackInfo& info);
  ~EngineWrap() override;

 private:
  template <typename Result>
  Napi::Promise post(Napi::Env env, std::function<Result()> compute,
                     std::function<Napi::Value(Napi::Env, const Result&)> convert);

  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value load_progress(const Napi::CallbackInfo& info);
  Napi::Value step(const Napi::CallbackInfo& info);
  void begin_sampling(const Napi::CallbackInfo& info);
  void end_sampling(const Napi::CallbackInfo& info);
  Napi::Value prepare_chat(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);
  void abort(const Napi::CallbackInfo& info);

  LlamaEngine& require_engine(Napi::Env env) const;
  static void stop_hook(void* self);
  void stop();

  LoadProgress progress_;
  std::shared_ptr<LlamaEngine> engine_;
  StepPlan plan_;  // Belongs to the engine's thread while a step is in flight.
  bool step_in_flight_ = false;
  std::exception_ptr sampling_failure_;  // Of the engine's thread, which throws it in the next step.
  size_t pending_ = 0;
  std::unique_ptr<JsThread> js_thread_;
  std::unique_ptr<WorkThread> work_thread_;
};
