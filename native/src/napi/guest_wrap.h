#pragma once

#include <napi.h>

// Defines the guest's side of attestation: readTdReport, exchangeQuoteMessage, readGpuState, readGpuEvidence,
// guardProcess, readProcessGuard, fenceNetwork, readNetworkFence. native/guest.ts validates their arguments.
void define_guest(Napi::Env env, Napi::Object exports);
