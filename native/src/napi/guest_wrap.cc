#include "napi/guest_wrap.h"

#include <cstring>
#include <vector>

#include "napi/promise_worker.h"
#include "platform/network_fence.h"
#include "platform/nscq_library.h"
#include "platform/nvml_library.h"
#include "platform/process_guard.h"
#include "platform/tdx_quote_socket.h"
#include "platform/tdx_report.h"

namespace {

std::string text(const Napi::Value& value) { return value.As<Napi::String>().Utf8Value(); }

std::vector<uint8_t> bytes(const Napi::Value& value) {
  const auto array = value.As<Napi::Uint8Array>();
  return {array.Data(), array.Data() + array.ByteLength()};
}

// The TypeScript layer has validated the length.
template <typename Array>
Array fixed_bytes(const Napi::Value& value) {
  Array copy{};
  std::memcpy(copy.data(), value.As<Napi::Uint8Array>().Data(), copy.size());
  return copy;
}

template <typename Bytes>
Napi::Uint8Array to_js(Napi::Env env, const Bytes& bytes) {
  auto array = Napi::Uint8Array::New(env, bytes.size());
  std::memcpy(array.Data(), bytes.data(), bytes.size());
  return array;
}

Napi::Value read_td_report_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<TdReport>::run(
      info.Env(),
      [path = text(info[0]), report_data = fixed_bytes<ReportData>(info[1])] {
        return read_td_report(path, report_data);
      },
      [](Napi::Env env, TdReport report) -> Napi::Value { return to_js(env, report); });
}

// (context id, port, UNIX path or "", message, timeout in ms)
Napi::Value exchange_message_async(const Napi::CallbackInfo& info) {
  const QuoteServiceAddress address{info[0].As<Napi::Number>().Uint32Value(), info[1].As<Napi::Number>().Uint32Value(),
                                    text(info[2])};
  const int timeout_ms = info[4].As<Napi::Number>().Int32Value();
  return PromiseWorker<std::vector<uint8_t>>::run(
      info.Env(),
      [address, message = bytes(info[3]), timeout_ms] { return exchange_message(address, message, timeout_ms); },
      [](Napi::Env env, const std::vector<uint8_t>& answer) -> Napi::Value { return to_js(env, answer); });
}

Napi::Value to_js_state(Napi::Env env, const GpuSystemState& state) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("driverVersion", state.driver_version);
  object.Set("environment", state.environment);
  object.Set("ccFeature", state.cc_feature);
  object.Set("devToolsMode", state.devtools_mode);
  if (state.multi_gpu_mode) object.Set("multiGpuMode", *state.multi_gpu_mode);
  if (state.accepts_work) object.Set("acceptsWork", *state.accepts_work);
  Napi::Array gpus = Napi::Array::New(env, state.gpus.size());
  for (uint32_t index = 0; index < state.gpus.size(); ++index) {
    Napi::Object gpu = Napi::Object::New(env);
    gpu.Set("uuid", state.gpus[index].uuid);
    gpu.Set("name", state.gpus[index].name);
    gpu.Set("vbiosVersion", state.gpus[index].vbios_version);
    gpus.Set(index, gpu);
  }
  object.Set("gpus", gpus);
  return object;
}

Napi::Value read_gpu_state_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<GpuSystemState>::run(
      info.Env(), [path = text(info[0])] { return read_gpu_state(path); },
      [](Napi::Env env, const GpuSystemState& state) { return to_js_state(env, state); });
}

Napi::Value to_js_loads(Napi::Env env, const std::vector<GpuLoad>& loads) {
  Napi::Array gpus = Napi::Array::New(env, loads.size());
  for (uint32_t index = 0; index < loads.size(); ++index) {
    const GpuLoad& load = loads[index];
    Napi::Object gpu = Napi::Object::New(env);
    if (load.memory_total_bytes) gpu.Set("memoryTotalBytes", static_cast<double>(*load.memory_total_bytes));
    if (load.memory_used_bytes) gpu.Set("memoryUsedBytes", static_cast<double>(*load.memory_used_bytes));
    if (load.compute_percent) gpu.Set("computePercent", *load.compute_percent);
    if (load.memory_percent) gpu.Set("memoryPercent", *load.memory_percent);
    gpus.Set(index, gpu);
  }
  return gpus;
}

Napi::Value read_gpu_loads_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<std::vector<GpuLoad>>::run(
      info.Env(), [path = text(info[0])] { return read_gpu_loads(path); },
      [](Napi::Env env, const std::vector<GpuLoad>& loads) { return to_js_loads(env, loads); });
}

Napi::Object to_js_evidence(Napi::Env env, const GpuEvidence& evidence) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("report", to_js(env, evidence.report));
  object.Set("certificateChain", to_js(env, evidence.certificate_chain));
  return object;
}

Napi::Value read_gpu_evidence_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<GpuEvidence>::run(
      info.Env(),
      [path = text(info[0]), index = info[1].As<Napi::Number>().Uint32Value(), nonce = fixed_bytes<GpuNonce>(info[2])] {
        return read_gpu_evidence(path, index, nonce);
      },
      [](Napi::Env env, const GpuEvidence& evidence) -> Napi::Value { return to_js_evidence(env, evidence); });
}

Napi::Value set_gpus_ready_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<bool>::run(
      info.Env(),
      [path = text(info[0])] {
        set_gpus_ready(path);
        return true;
      },
      [](Napi::Env env, bool) -> Napi::Value { return env.Undefined(); });
}

Napi::Value read_switch_evidence_async(const Napi::CallbackInfo& info) {
  return PromiseWorker<std::vector<SwitchEvidence>>::run(
      info.Env(),
      [path = text(info[0]), nonce = fixed_bytes<GpuNonce>(info[1])] { return read_switch_evidence(path, nonce); },
      [](Napi::Env env, std::vector<SwitchEvidence> switches) -> Napi::Value {
        Napi::Array list = Napi::Array::New(env, switches.size());
        for (uint32_t index = 0; index < switches.size(); ++index) {
          Napi::Object object = to_js_evidence(env, switches[index].evidence);
          object.Set("uuid", switches[index].uuid);
          list.Set(index, object);
        }
        return list;
      });
}

Napi::Value to_js_guard(Napi::Env env, const ProcessGuardFacts& facts) {
  Napi::Object object = Napi::Object::New(env);
  if (facts.core_limit) object.Set("coreLimit", static_cast<double>(*facts.core_limit));
  if (facts.core_limit_hard) object.Set("coreLimitHard", static_cast<double>(*facts.core_limit_hard));
  object.Set("dumpable", facts.dumpable);
  object.Set("keysLocked", facts.keys_locked);
  object.Set("freedMemoryZeroed", facts.freed_memory_zeroed);
  if (facts.lock_limit) object.Set("lockLimit", static_cast<double>(*facts.lock_limit));
  return object;
}

Napi::Value guard_process_now(const Napi::CallbackInfo& info) { return to_js_guard(info.Env(), guard_process()); }

Napi::Value read_process_guard_now(const Napi::CallbackInfo& info) {
  return to_js_guard(info.Env(), read_process_guard());
}

void fence_network_now(const Napi::CallbackInfo&) { fence_network(); }

Napi::Value read_network_fence_now(const Napi::CallbackInfo& info) {
  const NetworkFenceFacts facts = read_network_fence();
  Napi::Object object = Napi::Object::New(info.Env());
  object.Set("asked", facts.asked);
  object.Set("fenced", facts.fenced);
  return object;
}

}  // namespace

void define_guest(Napi::Env env, Napi::Object exports) {
  exports.Set("readTdReport", Napi::Function::New(env, read_td_report_async));
  exports.Set("exchangeQuoteMessage", Napi::Function::New(env, exchange_message_async));
  exports.Set("readGpuState", Napi::Function::New(env, read_gpu_state_async));
  exports.Set("readGpuLoads", Napi::Function::New(env, read_gpu_loads_async));
  exports.Set("readGpuEvidence", Napi::Function::New(env, read_gpu_evidence_async));
  exports.Set("setGpusReady", Napi::Function::New(env, set_gpus_ready_async));
  exports.Set("readSwitchEvidence", Napi::Function::New(env, read_switch_evidence_async));
  exports.Set("guardProcess", Napi::Function::New(env, guard_process_now));
  exports.Set("readProcessGuard", Napi::Function::New(env, read_process_guard_now));
  exports.Set("fenceNetwork", Napi::Function::New(env, fence_network_now));
  exports.Set("readNetworkFence", Napi::Function::New(env, read_network_fence_now));
}
