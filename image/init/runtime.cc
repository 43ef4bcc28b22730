#include "runtime.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "sandbox.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr uid_t user = 1000;
constexpr const char* state_folder = "/run/state";
constexpr const char* models_folder = "/run/state/models";
constexpr rlim_t open_files_max = 65'536;

// Reports in configfs, RTMR3 and the TDX device belong to root. The runtime is not root, so it keeps the capability to
// open them; the sandbox limits the files that it can reach with it.
constexpr int kept_capability = CAP_DAC_OVERRIDE;

void make_folder(const char* path) {
  if (::mkdir(path, 0700) != 0 || ::chown(path, user, user) != 0) stop_with_errno("cannot create", path);
}

// Links every top-level folder of a model disk into the models folder, as if `cloister models pull` had created it.
void link_models() {
  for (int disk = 0;; disk++) {
    const std::string folder = "/run/models/" + std::to_string(disk);
    DIR* entries = ::opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* entry = ::readdir(entries)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (::symlink((folder + "/" + name).c_str(), (std::string(models_folder) + "/" + name).c_str()) != 0) {
        stop_with_errno("cannot link a model, perhaps because it is on two disks:", name.c_str());
      }
    }
    ::closedir(entries);
  }
}

void become_user() {
  for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
    if (capability == kept_capability || ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    // EINVAL: this kernel does not have the capability.
    if (errno != EINVAL) stop_with_errno("cannot drop a capability");
  }
  if (::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 ||
      ::setuid(user) != 0) {
    stop_with_errno("cannot switch to the runtime's user");
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  sets[0].effective = sets[0].permitted = sets[0].inheritable = 1u << kept_capability;
  if (::syscall(SYS_capset, &header, sets) != 0 ||
      ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept_capability, 0, 0) != 0) {
    stop_with_errno("cannot keep CAP_DAC_OVERRIDE");
  }
}

void limit_process() {
  const rlimit no_core{0, 0};
  const rlimit files{open_files_max, open_files_max};
  if (::setrlimit(RLIMIT_CORE, &no_core) != 0 || ::setrlimit(RLIMIT_NOFILE, &files) != 0) {
    stop_with_errno("cannot set the runtime's resource limits");
  }
}

[[noreturn]] void execute() {
  ::setsid();
  const int null_device = ::open("/dev/null", O_RDONLY);
  ::dup2(null_device, STDIN_FILENO);
  ::close(null_device);
  limit_process();
  become_user();
  if (::chdir("/app") != 0) stop_with_errno("cannot open /app");
  enter_sandbox();
  // Do not pass V8 options: with them Node rejects the code cache of its built-in modules and compiles them at each start.
  const char* arguments[] = {runtime_program, "--import", "/app/image/guest/plain-sources.mjs", "cli/guest.ts",
                             nullptr};
  // Turns off ONNX Runtime's usage telemetry.
  const char* environment[] = {"PATH=/usr/bin", "HOME=/tmp", "NODE_ENV=production", "ORT_DISABLE_TELEMETRY=1",
                               // Zeroes freed memory, see native/heap.
                               "LD_PRELOAD=/app/native/build/zeroing-heap.so", nullptr};
  ::execve(arguments[0], const_cast<char**>(arguments), const_cast<char**>(environment));
  std::perror("cloister: cannot execute the runtime");
  ::_exit(127);
}

pid_t running = 0;
void forward_signal(int number) { ::kill(running, number); }

}  // namespace

void run_runtime(std::optional<pid_t> lease_process) {
  make_folder(state_folder);
  make_folder(models_folder);
  link_models();
  running = ::fork();
  if (running < 0) stop_with_errno("cannot start the runtime");
  if (running == 0) execute();
  std::signal(SIGTERM, forward_signal);
  std::signal(SIGINT, forward_signal);
  for (;;) {
    int status = 0;
    const pid_t ended = ::wait(&status);
    if (ended < 0 && errno != EINTR) stop_with_errno("cannot wait for the runtime");
    if (lease_process && ended == *lease_process) stop("the DHCP client has ended");
    if (ended != running) continue;
    const bool is_signal = WIFSIGNALED(status);
    const std::string number = std::to_string(is_signal ? WTERMSIG(status) : WEXITSTATUS(status));
    stop(is_signal ? "the runtime was ended by signal" : "the runtime exited with", number.c_str());
  }
}

}  // namespace cloister::guest
