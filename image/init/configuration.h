// The configuration disk: a tar archive, whose SHA-256 stands on the measured command line.
#pragma once

#include <string>

namespace cloister::guest {

// Reads the whole disk once, compares its SHA-256, and writes the archive's files into the folder `target`, which is
// made. What was compared is what is written: the disk is not read again. The machine stops where the digest is another
// one or the archive holds anything but plain files with plain names.
void unpack_configuration(const char* device, const std::string& sha256, const std::string& target);

}  // namespace cloister::guest
