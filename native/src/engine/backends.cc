#include "engine/backends.h"

#include <dlfcn.h>

#include <filesystem>
#include <mutex>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "llama.h"

namespace {

std::string library_of(void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

void* cpu_function(const char* name) {
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) return nullptr;
  return ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), name);
}

template <typename Function>
Function* cpu_function_as(const char* name) {
  auto* function = reinterpret_cast<Function*>(cpu_function(name));
  if (function == nullptr) throw CodedError("ERR_MODEL_LOAD", std::string("the CPU backend lacks ") + name);
  return function;
}

std::mutex gpu_mutex;

}  // namespace

void load_cpu_backend() {
  static std::once_flag once;
  std::call_once(once, [] {
    silence_logs();
    const std::filesystem::path library = library_of(reinterpret_cast<void*>(&ggml_backend_load_all_from_path));
    ggml_backend_load_all_from_path(library.parent_path().c_str());
    llama_backend_init();
  });
  if (ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) == nullptr) {
    throw CodedError("ERR_MODEL_LOAD", "no CPU backend of llama.cpp could be loaded");
  }
}

std::string load_gpu_backend(const std::vector<std::string>& library_paths) {
  const std::lock_guard lock(gpu_mutex);
  if (!gpu_devices().empty()) return "";
  std::string missing = library_paths.empty() ? "the package with the GPU backend is not installed" : "";
  for (const std::string& path : library_paths) {
    // ggml does not report why a library failed to load; the dynamic linker does.
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      missing += (missing.empty() ? "" : "; ") + std::string(dlerror());
      continue;
    }
    const bool registered = ggml_backend_load(path.c_str()) != nullptr;
    dlclose(handle);
    if (registered && !gpu_devices().empty()) return "";
    missing += (missing.empty() ? "" : "; ") + path + " finds no GPU";
  }
  return missing;
}

std::vector<ggml_backend_dev_t> gpu_devices() {
  std::vector<ggml_backend_dev_t> devices;
  for (size_t index = 0; index < ggml_backend_dev_count(); ++index) {
    ggml_backend_dev_t device = ggml_backend_dev_get(index);
    if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_GPU) devices.push_back(device);
  }
  return devices;
}

std::string cpu_variant() {
  const std::string name = std::filesystem::path(library_of(cpu_function("ggml_threadpool_new"))).stem();
  const std::string prefix = "libggml-cpu-";
  return name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : name;
}

void ThreadpoolDeleter::operator()(ggml_threadpool* pool) const {
  cpu_function_as<decltype(ggml_threadpool_free)>("ggml_threadpool_free")(pool);
}

ThreadpoolPointer make_threadpool(int threads, int poll) {
  ggml_threadpool_params parameters = ggml_threadpool_params_default(threads);
  parameters.poll = static_cast<uint32_t>(poll);
  ThreadpoolPointer pool(cpu_function_as<decltype(ggml_threadpool_new)>("ggml_threadpool_new")(&parameters));
  if (!pool) throw CodedError("ERR_MODEL_LOAD", "cannot start the compute threads");
  return pool;
}
