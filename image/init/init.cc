// The guest's /init: a static program in the initial RAM disk. It mounts the disks that the measured command line
// identifies, hardens the kernel and runs the runtime. If a check fails, it powers the machine off.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "command_line.h"
#include "configuration.h"
#include "disks.h"
#include "gpu.h"
#include "kernel_setup.h"
#include "network.h"
#include "runtime.h"
#include "stop.h"
#include "verity_disk.h"

namespace cloister::guest {

namespace {

constexpr const char* new_root = "/root";

std::string below_root(const char* path) { return std::string(new_root) + path; }

void mount_memory(const std::string& target, const char* options) {
  if (::mount("tmpfs", target.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) != 0) {
    stop_with_errno("cannot mount", target.c_str());
  }
}

void mount_disks(const CommandLine& line) {
  Disks disks(line.is_partitioned);
  mount_verity_disk(disks.next("cloister-root").c_str(), "root", line.root, new_root);
  mount_memory(below_root("/run"), "mode=0755");
  mount_memory(below_root("/tmp"), "mode=1777");
  if (line.configuration) {
    unpack_configuration(disks.next("cloister-config").c_str(), *line.configuration, below_root("/run/config"));
  }
  ::mkdir(below_root("/run/models").c_str(), 0755);
  for (std::size_t index = 0; index < line.models.size(); index++) {
    const std::string number = std::to_string(index);
    mount_verity_disk(disks.next("cloister-model-" + number).c_str(), ("model" + number).c_str(), line.models[index],
                      below_root(("/run/models/" + number).c_str()).c_str());
  }
}

// Moves the mounts to the new root. The initial RAM disk stays mounted below it, where it is unreachable.
void switch_root() {
  for (const char* path : {"/dev", "/proc", "/sys"}) {
    if (::mount(path, below_root(path).c_str(), nullptr, MS_MOVE, nullptr) != 0) stop_with_errno("cannot move", path);
  }
  if (::chdir(new_root) != 0 || ::mount(".", "/", nullptr, MS_MOVE, nullptr) != 0 || ::chroot(".") != 0 ||
      ::chdir("/") != 0) {
    stop_with_errno("cannot switch to the root disk");
  }
}

void run() {
  ::umask(022);
  mount_kernel_files();
  const CommandLine line = read_command_line();
  load_modules(line.is_partitioned);
  mount_disks(line);
  switch_root();
  if (::mount("configfs", "/sys/kernel/config", "configfs", MS_NOSUID | MS_NOEXEC | MS_NODEV, nullptr) != 0) {
    stop_with_errno("cannot mount configfs");
  }
  const std::optional<pid_t> lease_process = configure_network("/run/config/network", "/run/resolv.conf");
  prepare_gpus();
  harden_kernel();
  run_runtime(lease_process);
}

}  // namespace

}  // namespace cloister::guest

int main() { cloister::guest::run(); }
