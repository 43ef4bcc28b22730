#include "napi/options_wrap.h"

#include "engine/backends.h"
#include "engine/loading.h"
#include "napi/promise_worker.h"
#include "platform/network_fence.h"

namespace {

int32_t integer(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Number>().Int32Value();
}

bool boolean(const Napi::Object& object, const char* name) { return object.Get(name).As<Napi::Boolean>().Value(); }

std::vector<std::string> strings(const Napi::Array& array) {
  std::vector<std::string> values;
  for (uint32_t index = 0; index < array.Length(); ++index) {
    values.push_back(array.Get(index).As<Napi::String>().Utf8Value());
  }
  return values;
}

Napi::Value to_js(Napi::Env env, const std::vector<DeviceMemory>& plan) {
  Napi::Array devices = Napi::Array::New(env, plan.size());
  for (uint32_t index = 0; index < plan.size(); ++index) {
    Napi::Object device = Napi::Object::New(env);
    device.Set("name", plan[index].name);
    device.Set("totalBytes", plan[index].total_bytes);
    device.Set("freeBytes", plan[index].free_bytes);
    device.Set("weightBytes", plan[index].weight_bytes);
    device.Set("contextBytes", plan[index].context_bytes);
    device.Set("computeBytes", plan[index].compute_bytes);
    devices.Set(index, device);
  }
  return devices;
}

}  // namespace

ModelOptions read_model_options(const Napi::Object& object) {
  ModelOptions options;
  options.model_path = object.Get("modelPath").As<Napi::String>().Utf8Value();
  options.projector_path = object.Get("projectorPath").As<Napi::String>().Utf8Value();
  options.adapter_paths = strings(object.Get("adapterPaths").As<Napi::Array>());
  options.sequences = integer(object, "sequences");
  options.context_per_sequence = integer(object, "contextPerSequence");
  options.batch_tokens = integer(object, "batchTokens");
  options.draft_tokens = integer(object, "draftTokens");
  options.threads = integer(object, "threads");
  options.poll = integer(object, "poll");
  options.use_gpu = boolean(object, "useGpu");
  options.gpu_layers = integer(object, "gpuLayers");
  options.flash_attention = integer(object, "flashAttention");
  options.kv_q8 = boolean(object, "kvQ8");
  options.unified_kv = boolean(object, "unifiedKv");
  options.own_kernels = boolean(object, "ownKernels");
  options.lock_memory = boolean(object, "lockMemory");
  return options;
}

Napi::Value load_gpu(const Napi::CallbackInfo& info) {
  const std::vector<std::string> paths = strings(info[0].As<Napi::Array>());
  return PromiseWorker<std::string>::run(
      info.Env(),
      [paths] {
        load_cpu_backend();
        return load_gpu_backend(paths);
      },
      [](Napi::Env env, const std::string& missing) -> Napi::Value { return Napi::String::New(env, missing); });
}

Napi::Value plan_memory_async(const Napi::CallbackInfo& info) {
  const ModelOptions options = read_model_options(info[0].As<Napi::Object>());
  return PromiseWorker<std::vector<DeviceMemory>>::run(
      info.Env(),
      [options] {
        load_cpu_backend();
        return without_network([&] { return plan_memory(options); });
      },
      [](Napi::Env env, const std::vector<DeviceMemory>& plan) { return to_js(env, plan); });
}
