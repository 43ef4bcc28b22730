#pragma once

#include <stdexcept>
#include <string>

// An error with a code that callers switch on; the Node-API layer turns it into a JavaScript Error with `code`.
class CodedError : public std::runtime_error {
 public:
  CodedError(const char* code, const std::string& message) : std::runtime_error(message), code_(code) {}
  const char* code() const { return code_; }

 private:
  const char* code_;  // Always a literal.
};
