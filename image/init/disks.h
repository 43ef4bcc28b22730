// The devices of the guest's disks. Their contents are verified, so it does not matter which of several devices is found.
#pragma once

#include <string>

namespace cloister::guest {

// Finds the disks of a machine with a virtio disk for each: root, configuration and models, in this order; or the partitions
// of a boot disk, which image/boot-disk.ts names.
class Disks {
 public:
  explicit Disks(bool is_partitioned) : is_partitioned_(is_partitioned) {}

  // Waits for the next disk and returns its device. `partition` is its name on a boot disk. Powers the machine off if the disk
  // does not appear.
  std::string next(const std::string& partition);

 private:
  bool is_partitioned_;
  char letter_ = 'a';
};

}  // namespace cloister::guest
