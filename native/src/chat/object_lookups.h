#pragma once

#include <cstdint>
#include <string_view>

// Limits the time that JSON of a request takes in llama.cpp, whose objects are lists: an object of n members takes n²/2
// comparisons to parse, as often as a tool or a tool call is copied. Ten thousand members would take a second.
class ObjectLookups {
 public:
  // Takes 0.1 s; an object of 4,000 members needs this many.
  static constexpr uint64_t kMax = 8'000'000;

  // Counts the comparisons for `json`, which need not be valid. Throws ERR_CHAT_TOO_COMPLEX beyond the limit.
  void spend(std::string_view json);

 private:
  uint64_t spent_ = 0;
};
