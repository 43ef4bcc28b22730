#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

// Tokens as a tree of their bytes, in the order in which a walk visits it: when a byte is rejected, the walk continues
// after the byte's subtree.
class TokenTrie {
 public:
  struct Node {
    uint32_t end;  // The end of its subtree's nodes.
    int32_t token = kNoToken;
    uint32_t depth : 24;  // Number of bytes before its own.
    uint32_t byte : 8;
  };
  static constexpr int32_t kNoToken = -1;
  static constexpr size_t kTokenBytesMax = (1 << 24) - 1;

  using Spelling = std::pair<std::string_view, int32_t>;
  TokenTrie() = default;
  // `spellings` must be sorted, not empty, and at most kTokenBytesMax long.
  explicit TokenTrie(const std::vector<Spelling>& spellings);

  const std::vector<Node>& nodes() const { return nodes_; }
  // Tokens with the same spelling as a token of the tree: pairs of that token and its twin.
  const std::vector<std::pair<int32_t, int32_t>>& twins() const { return twins_; }
  // The length of the longest token in bytes.
  uint32_t height() const { return height_; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::pair<int32_t, int32_t>> twins_;
  uint32_t height_ = 0;
};
