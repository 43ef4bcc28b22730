// Preloaded by device-lost.test.ts: once the file that DEVICE_LOST names exists, every submission to a queue fails as it does after a
// GPU has hung or was removed.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

constexpr int kDeviceLost = -4;  // VK_ERROR_DEVICE_LOST
using Function = void (*)();
using Submit = int (*)(void* queue, unsigned count, const void* submits, void* fence);
using GetAddress = Function (*)(void* owner, const char* name);

Submit real_submit = nullptr;

int submit(void* queue, unsigned count, const void* submits, void* fence) {
  const char* path = std::getenv("DEVICE_LOST");
  if (path != nullptr && access(path, F_OK) == 0) return kDeviceLost;
  return real_submit(queue, count, submits, fence);
}

GetAddress real(const char* name) {
  static void* const loader = dlopen("libvulkan.so.1", RTLD_NOW);
  return reinterpret_cast<GetAddress>(dlsym(loader, name));
}

Function replace(const char* name, Function found) {
  if (found == nullptr || std::strcmp(name, "vkQueueSubmit") != 0) return found;
  real_submit = reinterpret_cast<Submit>(found);
  return reinterpret_cast<Function>(&submit);
}

}  // namespace

extern "C" Function vkGetDeviceProcAddr(void* device, const char* name) {
  return replace(name, real("vkGetDeviceProcAddr")(device, name));
}

extern "C" Function vkGetInstanceProcAddr(void* instance, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return reinterpret_cast<Function>(&vkGetDeviceProcAddr);
  return replace(name, real("vkGetInstanceProcAddr")(instance, name));
}
