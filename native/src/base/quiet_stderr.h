#pragma once

// While one lives, what its thread writes to C's stderr is dropped. llama.cpp prints grammars and schemas that it
// cannot parse there, past its own log; they hold a caller's words. Other threads are not affected.
class QuietStderr {
 public:
  QuietStderr();
  ~QuietStderr();
  QuietStderr(const QuietStderr&) = delete;
  QuietStderr& operator=(const QuietStderr&) = delete;
};
