#include "gpu.h"

#include <dirent.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr const char* gpus_folder = "/proc/driver/nvidia/gpus";
constexpr const char* switches_folder = "/proc/driver/nvidia-nvswitch/devices";
constexpr unsigned nvidia_major = 195;
constexpr unsigned control_minor = 255;

void make_node(const std::string& path, unsigned major_number, unsigned minor_number) {
  if (::mknod(path.c_str(), S_IFCHR | 0666, makedev(major_number, minor_number)) != 0 && errno != EEXIST) {
    stop_with_errno("cannot create the device node", path.c_str());
  }
  ::chmod(path.c_str(), 0666);
}

// Reads the major number of a driver.
unsigned major_of(const char* driver) {
  std::FILE* file = std::fopen("/proc/devices", "r");
  if (file == nullptr) stop_with_errno("/proc/devices cannot be read");
  char line[128];
  unsigned number = 0;
  bool is_found = false;
  while (!is_found && std::fgets(line, sizeof line, file) != nullptr) {
    char name[64];
    is_found = std::sscanf(line, "%u %63s", &number, name) == 2 && std::strcmp(name, driver) == 0;
  }
  std::fclose(file);
  if (!is_found) stop("the kernel has no driver", driver);
  return number;
}

unsigned count_devices(const char* folder_path) {
  DIR* folder = ::opendir(folder_path);
  if (folder == nullptr) return 0;
  unsigned count = 0;
  while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] == '.' ? 0 : 1;
  ::closedir(folder);
  return count;
}

void make_gpu_nodes(unsigned count) {
  for (unsigned index = 0; index < count; index++)
    make_node("/dev/nvidia" + std::to_string(index), nvidia_major, index);
  make_node("/dev/nvidiactl", nvidia_major, control_minor);
  make_node("/dev/nvidia-uvm", major_of("nvidia-uvm"), 0);
}

// Creates the nodes of the NVSwitches, if a whole node with its switches is assigned to this machine.
void make_switch_nodes(unsigned count) {
  if (count == 0) return;
  const unsigned switch_major = major_of("nvidia-nvswitch");
  for (unsigned index = 0; index < count; index++) {
    make_node("/dev/nvidia-nvswitch" + std::to_string(index), switch_major, index);
  }
  make_node("/dev/nvidia-nvswitchctl", switch_major, control_minor);
}

// Runs a program and waits for its end. A daemon's first process ends when the daemon is ready.
bool succeeds(const char* const* arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    const char* environment[] = {"PATH=/usr/bin", nullptr};
    ::execve(arguments[0], const_cast<char**>(arguments), const_cast<char**>(environment));
    ::_exit(127);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

FileDescriptor listen_at(const char* path) {
  FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (!listener.is_open() || ::bind(listener.value(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.value(), 1) != 0) {
    stop_with_errno("cannot listen at", path);
  }
  // Only root and the runtime, which has CAP_DAC_OVERRIDE, may connect.
  ::chmod(path, 0600);
  return listener;
}

// Forks a process that waits for the runtime's connection. The driver accepts the ready state only from an administrator,
// so the runtime cannot set it itself. The process handles one request.
void open_gate() {
  const FileDescriptor listener = listen_at(gpu_gate);
  const pid_t gate = ::fork();
  if (gate < 0) stop_with_errno("cannot start the process of the GPU gate");
  if (gate > 0) return;
  const FileDescriptor connection(::accept4(listener.value(), nullptr, nullptr, SOCK_CLOEXEC));
  const char* ready[] = {"/usr/bin/nvidia-smi", "conf-compute", "-srs", "1", nullptr};
  const char answer = succeeds(ready) ? '1' : '0';
  const bool is_sent = ::write(connection.value(), &answer, 1) == 1;
  ::_exit(is_sent ? 0 : 1);
}

}  // namespace

void prepare_gpus() {
  const unsigned count = count_devices(gpus_folder);
  if (count == 0) {
    if (::access(gpus_folder, F_OK) == 0) say("the driver found no GPU");
    return;
  }
  make_gpu_nodes(count);
  make_switch_nodes(count_devices(switches_folder));
  const char* persistence[] = {"/usr/bin/nvidia-persistenced", "--uvm-persistence-mode", nullptr};
  if (!succeeds(persistence)) stop("cannot start", persistence[0]);
  open_gate();
}

}  // namespace cloister::guest
