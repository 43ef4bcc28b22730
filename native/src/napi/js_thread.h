#pragma once

#include <napi.h>

#include <functional>

// Runs closures on the JavaScript thread that created it. Keeps the event loop alive only between hold() and release().
class JsThread {
 public:
  using Task = std::function<void(Napi::Env)>;

  explicit JsThread(Napi::Env env);
  ~JsThread();
  JsThread(const JsThread&) = delete;
  JsThread& operator=(const JsThread&) = delete;

  // Any thread. Tasks posted during the environment's teardown are dropped.
  void post(Task task);
  void hold(Napi::Env env);
  void release(Napi::Env env);

 private:
  static void call(napi_env env, napi_value, void*, void* task);
  napi_threadsafe_function function_ = nullptr;
};
