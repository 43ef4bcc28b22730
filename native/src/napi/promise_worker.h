#pragma once

#include <napi.h>

#include <exception>
#include <functional>
#include <optional>

#include "napi/js_error.h"

// One computation on libuv's pool, as a promise. `compute` does not use Node-API; `convert` runs on the JavaScript
// thread and may throw.
template <typename Result>
class PromiseWorker : public Napi::AsyncWorker {
 public:
  using Compute = std::function<Result()>;
  using Convert = std::function<Napi::Value(Napi::Env, Result)>;

  static Napi::Promise run(Napi::Env env, Compute compute, Convert convert) {
    auto* worker = new PromiseWorker(env, std::move(compute), std::move(convert));  // Deletes itself.
    const Napi::Promise promise = worker->deferred_.Promise();
    worker->Queue();
    return promise;
  }

  void Execute() override {
    try {
      result_.emplace(compute_());
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void OnOK() override {
    try {
      if (failure_) throw Napi::Error(Env(), to_js_error(Env(), failure_));
      deferred_.Resolve(convert_(Env(), std::move(*result_)));
    } catch (const Napi::Error& error) {
      deferred_.Reject(error.Value());
    }
  }

 private:
  PromiseWorker(Napi::Env env, Compute compute, Convert convert)
      : Napi::AsyncWorker(env),
        deferred_(Napi::Promise::Deferred::New(env)),
        compute_(std::move(compute)),
        convert_(std::move(convert)) {}

  Napi::Promise::Deferred deferred_;
  Compute compute_;
  Convert convert_;
  std::optional<Result> result_;
  std::exception_ptr failure_;
};
