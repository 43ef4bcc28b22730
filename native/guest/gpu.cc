#include "gpu.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "stop.h"

namespace cloister::guest {

namespace {

constexpr const char* gpus_folder = "/proc/driver/nvidia/gpus";
constexpr unsigned nvidia_major = 195;
constexpr unsigned control_minor = 255;

void make_node(const std::string& path, unsigned major_number, unsigned minor_number) {
  if (::mknod(path.c_str(), S_IFCHR | 0666, makedev(major_number, minor_number)) != 0 && errno != EEXIST) {
    stop_with_errno("cannot make", path.c_str());
  }
  ::chmod(path.c_str(), 0666);
}

// The number that the kernel gave to a driver.
unsigned major_of(const char* wanted) {
  std::FILE* file = std::fopen("/proc/devices", "r");
  if (file == nullptr) stop_with_errno("/proc/devices cannot be read");
  char line[128];
  unsigned number = 0;
  bool is_found = false;
  while (!is_found && std::fgets(line, sizeof line, file) != nullptr) {
    char name[64];
    is_found = std::sscanf(line, "%u %63s", &number, name) == 2 && std::strcmp(name, wanted) == 0;
  }
  std::fclose(file);
  if (!is_found) stop("there is no driver", wanted);
  return number;
}

unsigned make_nodes(DIR* gpus) {
  unsigned count = 0;
  while (const dirent* entry = ::readdir(gpus)) {
    if (entry->d_name[0] == '.') continue;
    make_node("/dev/nvidia" + std::to_string(count), nvidia_major, count);
    count++;
  }
  make_node("/dev/nvidiactl", nvidia_major, control_minor);
  make_node("/dev/nvidia-uvm", major_of("nvidia-uvm"), 0);
  return count;
}

// Until the program has ended; a daemon's first process ends when it is ready.
void run(const char* const* arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    const char* environment[] = {"PATH=/usr/bin", nullptr};
    ::execve(arguments[0], const_cast<char**>(arguments), const_cast<char**>(environment));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) stop("this failed:", arguments[0]);
}

}  // namespace

void prepare_gpus() {
  DIR* gpus = ::opendir(gpus_folder);
  if (gpus == nullptr) return;
  const unsigned count = make_nodes(gpus);
  ::closedir(gpus);
  if (count == 0) return say("the driver found no GPU");
  const char* persistence[] = {"/usr/bin/nvidia-persistenced", "--uvm-persistence-mode", nullptr};
  run(persistence);
  const char* ready[] = {"/usr/bin/nvidia-smi", "conf-compute", "-srs", "1", nullptr};
  run(ready);
}

}  // namespace cloister::guest
