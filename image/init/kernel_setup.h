// Loads the kernel's modules and hardens the kernel before any program of the root disk runs.
#pragma once

namespace cloister::guest {

// Mounts /dev, /proc and /sys, which read_command_line needs.
void mount_kernel_files();

// Loads /modules/*.ko in the order of /modules/order, and those of /modules/cloud-order, which are drivers of clouds' devices,
// if `is_cloud`. Powers the machine off if a module fails to load, except the TDX guest driver, which fails outside a TD.
void load_modules(bool is_cloud);

// Disables further modules, core dumps, kexec, tracing, unprivileged namespaces and eBPF. Powers the machine off if the
// kernel rejects a setting.
void harden_kernel();

}  // namespace cloister::guest
