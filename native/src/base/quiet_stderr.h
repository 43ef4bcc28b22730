#pragma once

// Drops what its thread writes to C's stderr while it exists. llama.cpp bypasses its log and prints grammars and
// schemas that it cannot parse to stderr; they contain a caller's text. Other threads are not affected.
class QuietStderr {
 public:
  QuietStderr();
  ~QuietStderr();
  QuietStderr(const QuietStderr&) = delete;
  QuietStderr& operator=(const QuietStderr&) = delete;
};
