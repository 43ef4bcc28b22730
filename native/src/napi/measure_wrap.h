#pragma once

#include <napi.h>

// The functions of native/measure.ts.
void define_measure(Napi::Env env, Napi::Object exports);
