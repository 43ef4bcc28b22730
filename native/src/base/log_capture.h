#pragma once

#include <string>

// llama.cpp and ggml report the reason of a failure only in their log. Nothing of it is ever printed, since it can
// hold a caller's words; warnings and errors are kept while a LogCapture lives on the thread that logs them.
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
