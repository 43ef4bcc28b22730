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

// A LlamaEngine and its threads as a JavaScript object. Work on the context is queued to one thread and runs in the
// order of the calls; other threads prepare chats.
class EngineWrap : public Napi::ObjectWrap<EngineWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit EngineWrap(const Napi::CallbackInfo& info);
  ~EngineWrap() override;

 private:
  template <typename Result>
  Napi::Promise post(Napi::Env env, WorkThread& thread, std::function<Result()> compute,
                     std::function<Napi::Value(Napi::Env, const Result&)> convert);

  using Prepare = std::function<std::shared_ptr<const PreparedChat>(const ChatFormat&, const std::string&,
                                                                    const PreparationLimits&)>;
  // Arguments: a number for `cancel_preparation`, the input, the maximum number of tokens, whether the work is slow.
  Napi::Value prepare(const Napi::CallbackInfo& info, Prepare compute);

  Napi::Value load(const Napi::CallbackInfo& info);
  Napi::Value load_progress(const Napi::CallbackInfo& info);
  Napi::Value step(const Napi::CallbackInfo& info);
  void begin_sampling(const Napi::CallbackInfo& info);
  void end_sampling(const Napi::CallbackInfo& info);
  Napi::Value prepare_chat(const Napi::CallbackInfo& info);
  Napi::Value prepare_text(const Napi::CallbackInfo& info);
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
  std::exception_ptr sampling_failure_;  // Set by the engine's thread, which throws it in the next step.
  size_t pending_ = 0;
  std::unique_ptr<JsThread> js_thread_;
  std::unique_ptr<WorkThread> work_thread_;
  // Running and queued preparations, by the number that JavaScript assigned.
  std::map<uint32_t, std::shared_ptr<std::atomic<bool>>> preparations_;
  // Separate from libuv's threads, which serve all file, DNS and crypto work of the process. Short preparations never
  // wait for long ones.
  std::unique_ptr<WorkThread> quick_preparations_;
  std::unique_ptr<WorkThread> slow_preparations_;
};
