// What the kernel is given and forbidden before anything of the image's root runs.
#pragma once

namespace cloister::guest {

// /dev, /proc and /sys; needed to read the command line.
void mount_kernel_files();

// Loads /modules/*.ko in the order of /modules/order; after that the kernel takes none any more.
// The machine stops where one fails, but for the TDX guest driver: off a TD there is nothing for it to drive.
void load_modules();

// No further modules, core dumps, kexec, tracing, unprivileged namespaces or eBPF. The machine stops where the kernel
// refuses.
void harden_kernel();

}  // namespace cloister::guest
