#pragma once

#include <string>

// llama.cpp and ggml report the reason for a failure only in their log. The log may contain a caller's text, so it is
// never printed; a LogCapture keeps the warnings and errors that its thread logs while it exists.
void silence_logs();

class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  // The last lines, oldest first, without llama.cpp's function names; empty if nothing was logged.
  std::string reason() const;
  void add(const char* text);

 private:
  std::string text_;
  LogCapture* outer_;
};
