#include <malloc.h>
#include <napi.h>

#include "base/stack_wipe.h"
#include "napi/bert_encoder_wrap.h"
#include "napi/chat_wrap.h"
#include "napi/embedder_wrap.h"
#include "napi/engine_wrap.h"
#include "napi/guest_wrap.h"
#include "napi/instance_data.h"
#include "napi/measure_wrap.h"
#include "napi/options_wrap.h"
#include "napi/sampling_wrap.h"

static void return_free_memory(const Napi::CallbackInfo&) { malloc_trim(0); }
static void wipe_stack(const Napi::CallbackInfo&) { wipe_unused_stack(); }

static Napi::Object register_addon(Napi::Env env, Napi::Object exports) {
  auto* instance = new InstanceData();  // Node deletes it together with the environment.
  instance->prepared_chat = Napi::Persistent(PreparedChatWrap::define(env));
  instance->chat_reader = Napi::Persistent(ChatReaderWrap::define(env));
  env.SetInstanceData(instance);
  exports.Set("Engine", EngineWrap::define(env));
  exports.Set("Embedder", EmbedderWrap::define(env));
  exports.Set("BertEncoder", BertEncoderWrap::define(env));
  exports.Set("Sampler", SamplerWrap::define(env));
  exports.Set("loadGpu", Napi::Function::New(env, load_gpu));
  exports.Set("planMemory", Napi::Function::New(env, plan_memory_async));
  exports.Set("returnFreeMemory", Napi::Function::New(env, return_free_memory));
  exports.Set("wipeUnusedStack", Napi::Function::New(env, wipe_stack));
  define_guest(env, exports);
  define_measure(env, exports);
  return exports;
}

NODE_API_MODULE(cloister, register_addon)
