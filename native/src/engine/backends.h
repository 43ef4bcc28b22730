#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ggml-backend.h"
#include "ggml-cpu.h"

// Loads llama.cpp's compute backends once per process: the CPU variant for this machine, and GPU plug-ins on request.
void load_cpu_backend();

// Tries the plug-ins in order until one offers a GPU. Returns "" on success, else what is missing.
std::string load_gpu_backend(const std::vector<std::string>& library_paths);

std::vector<ggml_backend_dev_t> gpu_devices();

// The name of the CPU variant in use, for example "zen4", for display.
std::string cpu_variant();

// A fixed set of compute threads. Without one, ggml creates and joins threads on every decode.
struct ThreadpoolDeleter {
  void operator()(ggml_threadpool* pool) const;
};
using ThreadpoolPointer = std::unique_ptr<ggml_threadpool, ThreadpoolDeleter>;

// poll: 0 sleeps between graphs, 100 spins. Throws ERR_MODEL_LOAD.
ThreadpoolPointer make_threadpool(int threads, int poll);
