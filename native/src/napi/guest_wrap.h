#pragma once

#include <napi.h>

// Adds what the guest's side of attestation needs: readTdReport, exchangeQuoteMessage, readGpuState, readGpuEvidence,
// guardProcess, readProcessGuard, fenceNetwork, readNetworkFence. native/guest.ts checks what they take.
void define_guest(Napi::Env env, Napi::Object exports);
