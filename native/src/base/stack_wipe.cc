#include "base/stack_wipe.h"

#include <string.h>

namespace {

// Deeper than any call that handles text; the deepest is OpenSSL's, with a TLS record of 16 KiB. Node's threads have a
// stack of 4 MiB.
constexpr size_t kWipedBytes = size_t{256} << 10;

}  // namespace

__attribute__((noinline)) void wipe_unused_stack() {
  char unused[kWipedBytes];
  explicit_bzero(unused, sizeof unused);
}
