#include "disks.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "stop.h"

namespace cloister::guest {

namespace {

constexpr int tries_max = 400;
constexpr unsigned pause_microseconds = 25'000;
constexpr const char* devices_folder = "/sys/class/block";

// Whether the kernel read this name in the partition table.
bool has_name(const std::string& device, const std::string& name) {
  std::FILE* file = std::fopen((std::string(devices_folder) + "/" + device + "/uevent").c_str(), "r");
  if (file == nullptr) return false;
  const std::string wanted = "PARTNAME=" + name + "\n";
  char line[256];
  bool is_found = false;
  while (!is_found && std::fgets(line, sizeof line, file) != nullptr) is_found = wanted == line;
  std::fclose(file);
  return is_found;
}

std::string find_partition(const std::string& name) {
  DIR* devices = ::opendir(devices_folder);
  if (devices == nullptr) stop_with_errno("cannot read", devices_folder);
  std::string found;
  while (const dirent* entry = ::readdir(devices)) {
    if (entry->d_name[0] != '.' && has_name(entry->d_name, name)) found = std::string("/dev/") + entry->d_name;
  }
  ::closedir(devices);
  return found;
}

}  // namespace

std::string Disks::next(const std::string& partition) {
  const std::string virtio_disk = std::string("/dev/vd") + letter_++;
  for (int attempt = 0; attempt < tries_max; attempt++) {
    const std::string device = is_partitioned_ ? find_partition(partition) : virtio_disk;
    if (!device.empty() && ::access(device.c_str(), F_OK) == 0) return device;
    ::usleep(pause_microseconds);
  }
  stop("the disk did not appear:", is_partitioned_ ? partition.c_str() : virtio_disk.c_str());
}

}  // namespace cloister::guest
