#include "napi/js_thread.h"

#include <memory>

JsThread::JsThread(Napi::Env env) {
  const Napi::String name = Napi::String::New(env, "cloister engine");
  const napi_status status =
      napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, call, &function_);
  if (status != napi_ok) throw Napi::Error::New(env, "cannot reach the event loop");
  napi_unref_threadsafe_function(env, function_);
}

JsThread::~JsThread() { napi_release_threadsafe_function(function_, napi_tsfn_release); }

void JsThread::post(Task task) {
  auto owned = std::make_unique<Task>(std::move(task));
  if (napi_call_threadsafe_function(function_, owned.get(), napi_tsfn_nonblocking) == napi_ok)
    (void)owned.release();  // The call owns the task from here on.
}

void JsThread::hold(Napi::Env env) { napi_ref_threadsafe_function(env, function_); }
void JsThread::release(Napi::Env env) { napi_unref_threadsafe_function(env, function_); }

void JsThread::call(napi_env env, napi_value, void*, void* task) {
  const std::unique_ptr<Task> owned(static_cast<Task*>(task));
  if (env == nullptr) return;
  try {
    (*owned)(env);
  } catch (const Napi::Error&) {
    // During the teardown of an environment every call into it fails, and no code remains to report the error to.
  }
}
