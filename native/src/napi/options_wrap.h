#pragma once

#include <napi.h>

#include "base/model_options.h"

ModelOptions read_model_options(const Napi::Object& object);

// (library paths) → what is missing for a GPU, or "".
Napi::Value load_gpu(const Napi::CallbackInfo& info);

// (model options) → Promise of one object per device.
Napi::Value plan_memory_async(const Napi::CallbackInfo& info);
