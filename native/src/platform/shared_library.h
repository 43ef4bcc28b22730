#pragma once

#include <dlfcn.h>

#include <string>

#include "base/coded_error.h"

// A vendor's library, opened at run time, because machines without its hardware do not have it.
class SharedLibrary {
 public:
  // Throws `missing_code` if the library cannot be opened, `failed_code` if it lacks a function.
  SharedLibrary(const std::string& path, const char* title, const char* missing_code, const char* failed_code)
      : title_(title), failed_code_(failed_code), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    const char* reason = dlerror();
    throw CodedError(missing_code, title_ + " cannot be opened: " + std::string(reason == nullptr ? path : reason));
  }
  ~SharedLibrary() { dlclose(handle_); }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // Null if the library does not export it.
  template <typename Signature>
  Signature* find(const char* name) const {
    return reinterpret_cast<Signature*>(dlsym(handle_, name));
  }

  template <typename Signature>
  Signature* function(const char* name) const {
    if (Signature* found = find<Signature>(name)) return found;
    throw CodedError(failed_code_, title_ + " has no " + name);
  }

 private:
  std::string title_;
  const char* failed_code_;
  void* handle_;
};
