#include "napi/measure_wrap.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/instruction_set.h"
#include "kernels/product_path.h"
#include "kernels/speed_measure.h"
#include "napi/promise_worker.h"

static Napi::Value read_product_path(const Napi::CallbackInfo& info) {
  auto path = Napi::Object::New(info.Env());
  path.Set("kernels", instruction_set() != nullptr ? instruction_set()->name : "");
  path.Set("mayUseAmx", may_use_amx());
  path.Set("usesAmx", product_path().uses_amx);
  path.Set("whyNot", product_path().why_not);
  return path;
}

static Napi::Value measure_products(const Napi::CallbackInfo& info) {
  const std::string format = info[0].As<Napi::String>();
  const auto counts = info[1].As<Napi::Int32Array>();
  const std::vector<int32_t> rows(counts.Data(), counts.Data() + counts.ElementLength());
  const int threads = info[2].As<Napi::Number>();
  const bool uses_amx = info[3].As<Napi::Boolean>();
  const ggml_type type = format == "Q8_0" ? GGML_TYPE_Q8_0 : format == "Q6_K" ? GGML_TYPE_Q6_K : GGML_TYPE_Q4_K;
  return PromiseWorker<ProductTimes>::run(
      info.Env(), [=] { return time_products(type, rows, threads, uses_amx); },
      [](Napi::Env env, const ProductTimes& times) {
        auto object = Napi::Object::New(env);
        object.Set("weights", static_cast<double>(times.weights));
        object.Set("weightBytes", static_cast<double>(times.weight_bytes));
        auto seconds = Napi::Float64Array::New(env, times.seconds.size());
        std::ranges::copy(times.seconds, seconds.Data());
        object.Set("seconds", seconds);
        return object;
      });
}

static Napi::Value measure_memory_async(const Napi::CallbackInfo& info) {
  const int threads = info[0].As<Napi::Number>();
  return PromiseWorker<double>::run(
      info.Env(), [=] { return measure_memory(threads); },
      [](Napi::Env env, double speed) { return Napi::Number::New(env, speed); });
}

void define_measure(Napi::Env env, Napi::Object exports) {
  exports.Set("readProductPath", Napi::Function::New(env, read_product_path));
  exports.Set("measureProducts", Napi::Function::New(env, measure_products));
  exports.Set("measureMemory", Napi::Function::New(env, measure_memory_async));
}
