// The configuration disk: a tar archive whose SHA-256 is on the measured command line.
#pragma once

#include <string>

namespace cloister::guest {

// Reads the disk into memory, compares its SHA-256, creates the folder `target` and extracts the files from the same
// bytes: the host cannot change the disk between check and use. Powers the machine off if the digest differs or the
// archive contains anything other than regular files with plain names.
void unpack_configuration(const char* device, const std::string& sha256, const std::string& target);

}  // namespace cloister::guest
