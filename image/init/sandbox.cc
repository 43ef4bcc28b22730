#include "sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE  // Headers before Linux 6.2.
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV  // Headers before Linux 6.10.
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t changing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE |
                                   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REFER;
constexpr std::uint64_t handled = reading | changing | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_IOCTL_DEV;
constexpr std::uint64_t of_devices = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_IOCTL_DEV;

struct Permission {
  const char* path;
  std::uint64_t access;
};

constexpr Permission permissions[] = {
    {"/", reading},
    {runtime_program, LANDLOCK_ACCESS_FS_EXECUTE},
    {"/lib64/ld-linux-x86-64.so.2", LANDLOCK_ACCESS_FS_EXECUTE},
    {"/run/state", changing},
    {"/tmp", changing},
    {"/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE},
    {"/dev/console", LANDLOCK_ACCESS_FS_WRITE_FILE},
    // TDX reports are directories in configfs, created and removed. The register and the device exist only in a TD.
    {"/sys/kernel/config", changing},
    {"/sys/devices/virtual/misc/tdx_guest", LANDLOCK_ACCESS_FS_WRITE_FILE},
    {"/dev/tdx_guest", of_devices},
    // NVIDIA's devices, if the image has the driver.
    {"/dev/nvidiactl", of_devices},
    {"/dev/nvidia-uvm", of_devices},
    {"/dev/nvidia0", of_devices},
    {"/dev/nvidia1", of_devices},
    {"/dev/nvidia2", of_devices},
    {"/dev/nvidia3", of_devices},
    {"/dev/nvidia4", of_devices},
    {"/dev/nvidia5", of_devices},
    {"/dev/nvidia6", of_devices},
    {"/dev/nvidia7", of_devices},
    {"/dev/nvidia-nvswitchctl", of_devices},
    {"/dev/nvidia-nvswitch0", of_devices},
    {"/dev/nvidia-nvswitch1", of_devices},
    {"/dev/nvidia-nvswitch2", of_devices},
    {"/dev/nvidia-nvswitch3", of_devices},
};

// System calls that the runtime does not need and that affect the kernel, other processes or the machine. They fail with
// EPERM.
constexpr int forbidden_calls[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_mount_setattr,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_unshare,
    SYS_setns,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_acct,
    SYS_quotactl,
    SYS_nfsservctl,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_lookup_dcookie,
    SYS_personality,
    SYS_syslog,
    SYS_vhangup,
    SYS_mknod,
    SYS_mknodat,
    SYS_memfd_secret,
};

int create_ruleset() {
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = handled;
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (ruleset < 0) stop_with_errno("the kernel does not support Landlock");
  return static_cast<int>(ruleset);
}

void permit(int ruleset, const Permission& permission) {
  const FileDescriptor place(::open(permission.path, O_PATH | O_CLOEXEC));
  if (!place.is_open() && errno == ENOENT) return;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = permission.access;
  rule.parent_fd = place.value();
  if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0) return;
  stop_with_errno("Landlock rejects the rule for", permission.path);
}

void restrict_files() {
  const FileDescriptor ruleset(create_ruleset());
  for (const Permission& permission : permissions) permit(ruleset.value(), permission);
  if (::syscall(SYS_landlock_restrict_self, ruleset.value(), 0) != 0) stop_with_errno("Landlock cannot restrict the process");
}

// System calls of another architecture kill the process, because their numbers have other meanings.
void restrict_calls() {
  std::vector<sock_filter> program{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      // x32 calls have the same architecture value and set a bit in the number.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  for (const int call : forbidden_calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) stop_with_errno("seccomp rejects the filter");
}

}  // namespace

void enter_sandbox() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) stop_with_errno("the kernel rejects no_new_privs");
  restrict_files();
  restrict_calls();
}

}  // namespace cloister::guest
