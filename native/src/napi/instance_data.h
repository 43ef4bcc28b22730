#pragma once

#include <napi.h>

// The addon's state in one JavaScript environment (the main thread or a worker). Environments share none of it.
struct InstanceData {
  Napi::FunctionReference prepared_chat;
  Napi::FunctionReference chat_reader;
};
