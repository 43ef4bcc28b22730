#include "base/quiet_stderr.h"

#include <unistd.h>

#include <cstdio>
#include <mutex>

namespace {

thread_local int quiet_depth = 0;

ssize_t write_unless_quiet(void*, const char* text, size_t size) {
  if (quiet_depth > 0) return static_cast<ssize_t>(size);
  return write(STDERR_FILENO, text, size);
}

// glibc lets a program assign `stderr`; the new stream uses the same descriptor.
void replace_stderr() {
  const cookie_io_functions_t functions{nullptr, write_unless_quiet, nullptr, nullptr};
  FILE* stream = fopencookie(nullptr, "w", functions);
  if (stream == nullptr) return;
  setvbuf(stream, nullptr, _IONBF, 0);
  stderr = stream;
}

}  // namespace

QuietStderr::QuietStderr() {
  static std::once_flag once;
  std::call_once(once, replace_stderr);
  ++quiet_depth;
}

QuietStderr::~QuietStderr() { --quiet_depth; }
