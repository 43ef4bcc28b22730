// The first program of a test-only initial RAM disk (rdinit=/sim/init): loads the simulated TDX device, leaves a child that
// connects it to the host's side of the test over a virtio port, and becomes the image's own /init.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace {

constexpr int tries_max = 400;
constexpr unsigned pause_microseconds = 25'000;
constexpr std::size_t report_bytes = 1024;
constexpr std::size_t quote_bytes_max = 8168;
constexpr std::size_t td_info_bytes = 512;

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "simulator: %s: %s\n", what, std::strerror(errno));
  ::usleep(200'000);
  ::reboot(RB_POWER_OFF);
  for (;;) ::pause();
}

void load(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || (::syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST)) stop(path);
  ::close(file);
}

bool read_all(int file, void* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = ::read(file, static_cast<char*>(bytes) + done, count - done);
    if (got < 0) return false;
    if (got == 0) ::usleep(1000);  // Nobody has opened the host's end yet.
    done += static_cast<std::size_t>(got);
  }
  return true;
}

int open_port() {
  for (int attempt = 0; attempt < tries_max; attempt++) {
    for (int device = 0; device < 16; device++) {
      char path[32];
      std::snprintf(path, sizeof path, "/dev/vport%dp1", device);
      const int port = ::open(path, O_RDWR);
      if (port >= 0) return port;
    }
    ::usleep(pause_microseconds);
  }
  stop("there is no port to the host");
}

// "TDINFO\n\n" is answered with 512 bytes; "QUOTE\n\n\n" and a report with a length and a quote.
[[noreturn]] void relay(int device, int port) {
  static std::uint8_t report[report_bytes];
  static std::uint8_t quote[quote_bytes_max];
  for (;;) {
    std::uint32_t count = 0;
    if (::read(device, report, sizeof report) != sizeof report) _exit(1);
    if (::write(port, "QUOTE\n\n\n", 8) != 8 || ::write(port, report, sizeof report) != sizeof report) _exit(1);
    if (!read_all(port, &count, sizeof count) || count > sizeof quote || !read_all(port, quote, count)) _exit(1);
    if (::write(device, quote, count) != static_cast<ssize_t>(count)) _exit(1);
  }
}

}  // namespace

int main() {
  for (const char* path : {"/dev", "/proc", "/sys"}) ::mkdir(path, 0755);
  ::mount("devtmpfs", "/dev", "devtmpfs", 0, nullptr);
  ::mount("proc", "/proc", "proc", 0, nullptr);
  ::mount("sysfs", "/sys", "sysfs", 0, nullptr);
  load("/modules/configfs.ko");
  load("/modules/tsm_report.ko");
  load("/sim/tdx_guest_sim.ko");
  const int port = open_port();
  const int device = ::open("/dev/tdx_sim", O_RDWR);
  if (device < 0) stop("/dev/tdx_sim");
  std::uint8_t td_info[td_info_bytes];
  if (::write(port, "TDINFO\n\n", 8) != 8 || !read_all(port, td_info, sizeof td_info)) stop("no TDINFO from the host");
  if (::ioctl(device, _IOW('S', 1, std::uint8_t[td_info_bytes]), td_info) != 0) stop("TDINFO is refused");
  if (::fork() == 0) relay(device, port);
  ::execl("/init", "/init", nullptr);
  stop("/init");
}
