#include "kernel_setup.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr const char* tdx_driver = "tdx-guest.ko";

struct KernelSetting {
  const char* name;
  const char* value;
  // Whether the kernel may lack the setting.
  bool is_optional = false;
};

constexpr KernelSetting settings[] = {
    {"kernel/modules_disabled", "1"},
    {"kernel/core_pattern", "|/none"},
    {"kernel/core_pipe_limit", "1", true},
    {"fs/suid_dumpable", "0"},
    {"kernel/kexec_load_disabled", "1"},
    {"kernel/yama/ptrace_scope", "3"},
    {"kernel/unprivileged_bpf_disabled", "1"},
    {"kernel/perf_event_paranoid", "3"},
    {"kernel/io_uring_disabled", "2"},
    {"kernel/dmesg_restrict", "1"},
    {"kernel/kptr_restrict", "2"},
    {"kernel/sysrq", "0", true},
    {"kernel/panic_on_oops", "1"},
    {"kernel/randomize_va_space", "2"},
    {"vm/unprivileged_userfaultfd", "0", true},
    {"user/max_user_namespaces", "0"},
    {"dev/tty/ldisc_autoload", "0"},
    {"net/ipv4/conf/all/accept_redirects", "0"},
    {"net/ipv4/conf/all/send_redirects", "0"},
    {"net/ipv6/conf/all/accept_ra", "0", true},
    {"net/ipv4/tcp_syncookies", "1"},
};

void mount_kernel(const char* type, const char* target) {
  ::mkdir(target, 0755);
  // EBUSY: the file system is already mounted.
  if (::mount(type, target, type, MS_NOSUID | MS_NOEXEC, nullptr) != 0 && errno != EBUSY) {
    stop_with_errno("cannot mount", target);
  }
}

void load_module(const std::string& name) {
  const FileDescriptor file(::open(("/modules/" + name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) stop_with_errno("cannot open the module", name.c_str());
  if (::syscall(SYS_finit_module, file.value(), "", 0) == 0 || errno == EEXIST) return;
  if (name == tdx_driver && errno == ENODEV) return say("this machine is not a TD");
  stop_with_errno("cannot load the module", name.c_str());
}

void load_list(const char* path) {
  std::FILE* order = std::fopen(path, "r");
  if (order == nullptr) stop_with_errno("cannot read", path);
  char name[128];
  while (std::fscanf(order, "%127s", name) == 1) load_module(name);
  std::fclose(order);
}

}  // namespace

void mount_kernel_files() {
  mount_kernel("devtmpfs", "/dev");
  mount_kernel("proc", "/proc");
  mount_kernel("sysfs", "/sys");
}

void load_modules(bool is_cloud) {
  load_list("/modules/order");
  if (is_cloud) load_list("/modules/cloud-order");
}

void harden_kernel() {
  for (const auto& [name, value, is_optional] : settings) {
    const FileDescriptor file(::open((std::string("/proc/sys/") + name).c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open() && is_optional && errno == ENOENT) continue;
    const auto bytes = static_cast<ssize_t>(std::strlen(value));
    if (!file.is_open() || ::write(file.value(), value, std::strlen(value)) != bytes) {
      stop_with_errno("the kernel rejects the setting", name);
    }
  }
}

}  // namespace cloister::guest
