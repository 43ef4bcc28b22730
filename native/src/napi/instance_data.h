#pragma once

#include <napi.h>

// What one JavaScript environment (the main thread or a worker) has of the addon. Nothing of it is shared.
struct InstanceData {
  Napi::FunctionReference prepared_chat;
  Napi::FunctionReference chat_reader;
};
