#pragma once

#include <napi.h>

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <optional>

#include "base/work_thread.h"
#include "engine/llama_engine.h"
#include "napi/js_thread.h"

// A LlamaEngine and its threads, as JavaScript holds them. Everything that touches the context is queued to one thread
// and runs in the order of the calls; chats are prepared on others.
class EngineWrap : public Napi::ObjectWrap<EngineWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit EngineWrap(const Napi::CallbackInfo& info);
  ~EngineWrap() override;

 private:
  template <typename Result>
  Napi::Promise post(Napi::Env env, WorkThread& thread, std::function<Result()> compute,
                     std::function<Napi::Value(Napi::Env, const Result&)> convert);

  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value load_progress(const Napi::CallbackInfo& info);
  Napi::Value step(const Napi::CallbackInfo& info);
  void begin_sampling(const Napi::CallbackInfo& info);
  void end_sampling(const Napi::CallbackInfo& info);
  Napi::Value prepare_chat(const Napi::CallbackInfo& info);
  void cancel_preparation(const Napi::CallbackInfo& info);
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
  // Preparations under way and waiting, by the number that JavaScript gave them.
  std::map<uint32_t, std::shared_ptr<std::atomic<bool>>> preparations_;
  // Not libuv's, which serve every file, name and key of the process. Short preparations never wait for long ones.
  std::unique_ptr<WorkThread> quick_preparations_;
  std::unique_ptr<WorkThread> slow_preparations_;
};
