#include "stop.h"

#include <sys/reboot.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cloister::guest {

namespace {

// The console driver sends characters by interrupt: wait, so that the message is not lost.
constexpr unsigned console_microseconds = 200'000;

[[noreturn]] void power_off() {
  ::sync();
  ::usleep(console_microseconds);
  ::reboot(RB_POWER_OFF);
  // A sandboxed process may not power off: the first process does it when this one ends. The end of the first process itself
  // panics the kernel, so the boot does not continue either.
  ::_exit(1);
}

}  // namespace

void say(const char* what, const char* subject) {
  std::fprintf(stderr, "cloister: %s%s%s\n", what, *subject == '\0' ? "" : " ", subject);
}

void stop(const char* what, const char* subject) {
  say(what, subject);
  power_off();
}

void stop_with_errno(const char* what, const char* subject) {
  const int code = errno;
  std::fprintf(stderr, "cloister: %s%s%s: %s\n", what, *subject == '\0' ? "" : " ", subject, std::strerror(code));
  power_off();
}

}  // namespace cloister::guest
