#pragma once

#include <cstdint>
#include <vector>

#include "base/utf8.h"

struct CodeRange {
  uint32_t low;
  uint32_t high;  // Inclusive.
  bool operator==(const CodeRange&) const = default;
};

// A set of Unicode code points without surrogates, as sorted ranges that are neither overlapping nor adjacent.
class CharSet {
 public:
  CharSet() = default;
  CharSet(std::initializer_list<CodeRange> ranges);
  static CharSet all();
  static CharSet one(uint32_t code) { return CharSet{{code, code}}; }

  void add(uint32_t low, uint32_t high);
  void add(const CharSet& other);
  CharSet complement() const;
  bool contains(uint32_t code) const;
  bool empty() const { return ranges_.empty(); }
  const std::vector<CodeRange>& ranges() const { return ranges_; }

 private:
  std::vector<CodeRange> ranges_;
};
