// A read-only disk whose every block is checked against a root hash before anybody sees it.
#pragma once

#include "command_line.h"

namespace cloister::guest {

// Maps `device` ("/dev/vda") by dm-verity as /dev/mapper/<name> and mounts its erofs read-only at `target`, which is
// made. A block that does not fit panics the kernel; whatever fails before stops the machine.
void mount_verity_disk(const char* device, const char* name, const VerityDisk& disk, const char* target);

// Waits until the kernel has found the device.
void wait_for_device(const char* device);

}  // namespace cloister::guest
