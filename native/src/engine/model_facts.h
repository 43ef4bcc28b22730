#pragma once

#include <string>

#include "engine/loading.h"

// A text value of the model file, or "" if it is missing.
std::string read_metadata(const llama_model* model, const char* key);

// "SmolLM2 135M, 135 M parameters, Q8_0"
std::string describe_model(const llama_model* model);

// "CPU (zen4), 2 threads", or the GPUs and the number of layers on them.
std::string describe_device(const llama_model* model, const ModelOptions& options, const LlamaParameters& parameters);
