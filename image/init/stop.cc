#include "stop.h"

#include <sys/reboot.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cloister::guest {

namespace {

// The console's driver hands characters on by interrupt: without a moment for it the reason would be lost.
constexpr unsigned console_microseconds = 200'000;

[[noreturn]] void power_off() {
  ::sync();
  ::usleep(console_microseconds);
  ::reboot(RB_POWER_OFF);
  // A machine that cannot be switched off must not go on either.
  for (;;) ::pause();
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
