#include "verity_disk.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr std::uint64_t sectors_per_block = 8;
constexpr const char* control_path = "/dev/mapper/control";

// The argument of every device-mapper call, with room for one target's parameters.
struct alignas(8) MapperCall {
  dm_ioctl head{};
  dm_target_spec target{};
  char parameters[1024]{};

  MapperCall(const char* name, std::uint32_t flags) {
    head.version[0] = DM_VERSION_MAJOR;
    head.data_size = sizeof *this;
    head.data_start = sizeof head;
    head.flags = flags;
    std::snprintf(head.name, sizeof head.name, "%s", name);
  }
};

// Creates the control node, since the guest has no udev. The kernel assigns its minor number.
void make_control_node() {
  ::mkdir("/dev/mapper", 0755);
  if (::access(control_path, F_OK) == 0) return;
  std::FILE* file = std::fopen("/proc/misc", "r");
  if (file == nullptr) stop_with_errno("/proc/misc cannot be read");
  unsigned minor_number = 0;
  char name[64];
  bool is_found = false;
  while (!is_found && std::fscanf(file, "%u %63s", &minor_number, name) == 2) {
    is_found = std::strcmp(name, "device-mapper") == 0;
  }
  std::fclose(file);
  if (!is_found || ::mknod(control_path, S_IFCHR | 0600, makedev(10, minor_number)) != 0) {
    stop_with_errno("the kernel has no device mapper");
  }
}

void call(int control, unsigned long request, MapperCall& argument, const char* name) {
  if (::ioctl(control, request, &argument) != 0) stop_with_errno("the device mapper rejects", name);
}

}  // namespace

void mount_verity_disk(const char* device, const char* name, const VerityDisk& disk, const char* target) {
  struct stat status {};
  if (::stat(device, &status) != 0 || !S_ISBLK(status.st_mode)) stop("not a block device:", device);
  make_control_node();
  const FileDescriptor control(::open(control_path, O_RDWR | O_CLOEXEC));
  if (!control.is_open()) stop_with_errno("cannot open the device mapper");

  MapperCall create(name, DM_READONLY_FLAG);
  call(control.value(), DM_DEV_CREATE, create, name);
  MapperCall load(name, DM_READONLY_FLAG);
  load.head.target_count = 1;
  load.target.length = disk.blocks * sectors_per_block;
  std::snprintf(load.target.target_type, sizeof load.target.target_type, "verity");
  // The hash tree starts after the data. There is no superblock, since its parameters are on the measured command line.
  std::snprintf(load.parameters, sizeof load.parameters,
                "1 %u:%u %u:%u 4096 4096 %llu %llu sha256 %s %s 1 panic_on_corruption", major(status.st_rdev),
                minor(status.st_rdev), major(status.st_rdev), minor(status.st_rdev),
                static_cast<unsigned long long>(disk.blocks), static_cast<unsigned long long>(disk.blocks),
                disk.root_hash.c_str(), disk.salt.c_str());
  call(control.value(), DM_TABLE_LOAD, load, name);
  MapperCall resume(name, DM_READONLY_FLAG);
  call(control.value(), DM_DEV_SUSPEND, resume, name);

  const std::string node = std::string("/dev/mapper/") + name;
  const unsigned major_number = create.head.dev >> 8 & 0xfff;
  const unsigned minor_number = (create.head.dev & 0xff) | (create.head.dev >> 12 & 0xfff00);
  ::mknod(node.c_str(), S_IFBLK | 0400, makedev(major_number, minor_number));
  ::mkdir(target, 0755);
  if (::mount(node.c_str(), target, "erofs", MS_RDONLY | MS_NODEV | MS_NOSUID, nullptr) != 0) {
    stop_with_errno("cannot mount the disk", name);
  }
}

}  // namespace cloister::guest
