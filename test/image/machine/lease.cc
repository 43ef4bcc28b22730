// Runs the DHCP client of image/init on the interface eth0 of a network namespace, for lease.test.ts: prints the interface once it
// has a lease, waits until standard input ends, prints it again, and ends. Instead of powering off, `stop` ends the program.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "../../../image/init/lease_process.h"
#include "../../../image/init/stop.h"

namespace cloister::guest {

void say(const char* what, const char* subject) { std::fprintf(stderr, "cloister: %s %s\n", what, subject); }

void stop(const char* what, const char* subject) {
  say(what, subject);
  std::_Exit(3);
}

void stop_with_errno(const char* what, const char* subject) {
  say(what, subject);
  std::perror("cloister");
  std::_Exit(3);
}

}  // namespace cloister::guest

int main(int count, char** arguments) {
  using namespace cloister::guest;
  if (count != 2) return 64;
  const NetworkInterface interface;
  const pid_t process = start_lease_process(interface, ResolverFile(arguments[1]));
  const auto show = [process] {
    if (::waitpid(process, nullptr, WNOHANG) != 0) stop("the DHCP client has ended", "");
    if (std::system("ip -o address show dev eth0; ip link show dev eth0; ip route; echo shown") != 0) stop("ip failed", "");
  };
  show();
  while (std::getchar() != EOF) {
  }
  show();
  ::kill(process, SIGKILL);
}
