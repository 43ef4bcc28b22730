// A read-only disk of which every block is verified against a root hash before use.
#pragma once

#include "command_line.h"

namespace cloister::guest {

// Maps `device` (for example "/dev/vda") by dm-verity as /dev/mapper/<name>, creates `target` and mounts the EROFS file
// system there read-only. A corrupted block panics the kernel; an error before that powers the machine off.
void mount_verity_disk(const char* device, const char* name, const VerityDisk& disk, const char* target);

}  // namespace cloister::guest
