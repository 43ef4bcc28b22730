// The first program of a test-only initial RAM disk (rdinit=/sim/init): loads the simulated TDX device, leaves a child that
// connects it to the host's side of the test over a virtio port, and executes the image's /init.
//
// With sim_interface=ioctl on the command line it simulates a kernel without configfs-tsm: the device has only its ioctl, and
// the quote service is reached over vsock. Emulation has no such host, so the address leads back into the guest
// (vsock_loopback, which the kernel uses for the host's address without a device), to the child process.
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

constexpr int tries_max = 400;
constexpr unsigned pause_microseconds = 25'000;
constexpr std::size_t report_bytes = 1024;
constexpr std::size_t quote_bytes_max = 8168;
constexpr std::size_t td_info_bytes = 512;
constexpr std::size_t message_bytes_max = 64 * 1024;
constexpr unsigned quote_service_port = 4050;
constexpr const char* module_order = "/modules/order";

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
    if (got == 0) ::usleep(1000);  // The host's end is not open yet.
    done += static_cast<std::size_t>(got);
  }
  return true;
}

int open_port() {
  for (int attempt = 0; attempt < tries_max; attempt++) {
    for (int device = 0; device < 16; device++) {
      char path[32];
      std::snprintf(path, sizeof path, "/dev/vport%dp1", device);
      const int port = ::open(path, O_RDWR | O_CLOEXEC);
      if (port >= 0) return port;
    }
    ::usleep(pause_microseconds);
  }
  stop("there is no port to the host");
}

bool write_all(int file, const void* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t put = ::write(file, static_cast<const char*>(bytes) + done, count - done);
    if (put <= 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

// Protocol of the port: the reply to "TDINFO\n\n" has 512 bytes. The reply to "QUOTE\n\n\n" and a report, or to "MESSAGE\n", a
// length and a message, is a length and as many bytes. Lengths are little-endian.
bool send_verb(int port, const char (&verb)[9], const void* bytes, std::size_t count) {
  return write_all(port, verb, 8) && write_all(port, bytes, count);
}

[[noreturn]] void relay_reports(int device, int port) {
  static std::uint8_t report[report_bytes];
  static std::uint8_t quote[quote_bytes_max];
  for (;;) {
    std::uint32_t count = 0;
    if (::read(device, report, sizeof report) != sizeof report) _exit(1);
    if (!send_verb(port, "QUOTE\n\n\n", report, sizeof report)) _exit(1);
    if (!read_all(port, &count, sizeof count) || count > sizeof quote || !read_all(port, quote, count)) _exit(1);
    if (::write(device, quote, count) != static_cast<ssize_t>(count)) _exit(1);
  }
}

// The host's quote service uses messages after a big-endian length.
int listen_for_messages() {
  const int listener = ::socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_vm address{};
  address.svm_family = AF_VSOCK;
  address.svm_cid = VMADDR_CID_ANY;
  address.svm_port = quote_service_port;
  if (listener < 0 || ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 8) != 0) {
    stop("vsock");
  }
  return listener;
}

// Handles one request. Returns false if the peer closed the connection or sent an invalid request.
bool answer_peer(int peer, int port) {
  static std::uint8_t message[message_bytes_max];
  std::uint32_t length = 0;
  if (::recv(peer, &length, sizeof length, MSG_WAITALL) != sizeof length) return false;
  std::uint32_t count = __builtin_bswap32(length);
  if (count > sizeof message || ::recv(peer, message, count, MSG_WAITALL) != static_cast<ssize_t>(count)) return false;
  if (!send_verb(port, "MESSAGE\n", &count, sizeof count) || !write_all(port, message, count)) _exit(1);
  if (!read_all(port, &count, sizeof count) || count > sizeof message || !read_all(port, message, count)) _exit(1);
  length = __builtin_bswap32(count);
  return write_all(peer, &length, sizeof length) && write_all(peer, message, count);
}

[[noreturn]] void relay_messages(int listener, int port) {
  std::signal(SIGPIPE, SIG_IGN);
  for (;;) {
    const int peer = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) _exit(1);
    if (!answer_peer(peer, port)) std::fputs("simulator: a question was not answered\n", stderr);
    ::close(peer);
  }
}

// Modules that /init would load but a kernel without configfs-tsm lacks, and the vsock transport that has no device here.
void strike_from_order(std::initializer_list<std::string_view> names) {
  std::FILE* order = std::fopen(module_order, "r");
  if (order == nullptr) stop(module_order);
  std::string kept;
  char name[128];
  while (std::fscanf(order, "%127s", name) == 1) {
    bool is_struck = false;
    for (const std::string_view one : names) is_struck = is_struck || one == name;
    if (!is_struck) kept += std::string(name) + "\n";
  }
  std::fclose(order);
  order = std::fopen(module_order, "w");
  if (order == nullptr || std::fputs(kept.c_str(), order) < 0 || std::fclose(order) != 0) stop(module_order);
}

}  // namespace

int main() {
  for (const char* path : {"/dev", "/proc", "/sys"}) ::mkdir(path, 0755);
  ::mount("devtmpfs", "/dev", "devtmpfs", 0, nullptr);
  ::mount("proc", "/proc", "proc", 0, nullptr);
  ::mount("sysfs", "/sys", "sysfs", 0, nullptr);
  const char* interface = std::getenv("sim_interface");
  const bool is_by_ioctl = interface != nullptr && std::string_view(interface) == "ioctl";
  load("/modules/configfs.ko");
  if (is_by_ioctl) {
    strike_from_order({"tsm_report.ko", "tdx-guest.ko", "vmw_vsock_virtio_transport.ko"});
    load("/modules/vsock.ko");
    load("/modules/vmw_vsock_virtio_transport_common.ko");
    load("/sim/vsock_loopback.ko");
  } else {
    load("/modules/tsm_report.ko");
  }
  load("/sim/tdx_guest_sim.ko");
  const int port = open_port();
  const int device = ::open("/dev/tdx_sim", O_RDWR | O_CLOEXEC);
  if (device < 0) stop("/dev/tdx_sim");
  std::uint8_t td_info[td_info_bytes];
  if (!write_all(port, "TDINFO\n\n", 8) || !read_all(port, td_info, sizeof td_info)) stop("no TDINFO from the host");
  if (::ioctl(device, _IOW('S', 1, std::uint8_t[td_info_bytes]), td_info) != 0) stop("TDINFO is refused");
  const int listener = is_by_ioctl ? listen_for_messages() : -1;
  if (::fork() == 0) {
    if (is_by_ioctl) relay_messages(listener, port);
    relay_reports(device, port);
  }
  ::execl("/init", "/init", nullptr);
  stop("/init");
}
