#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

// Tokens as a tree of their bytes, in the order in which a walk visits it: a walk that a byte ends goes on behind the
// byte's subtree.
class TokenTrie {
 public:
  struct Node {
    uint32_t end;  // Where the nodes of its subtree end.
    int32_t token = kNoToken;
    uint32_t depth : 24;  // Bytes before its own.
    uint32_t byte : 8;
  };
  static constexpr int32_t kNoToken = -1;
  static constexpr size_t kTokenBytesMax = (1 << 24) - 1;

  using Spelling = std::pair<std::string_view, int32_t>;
  TokenTrie() = default;
  // `spellings` are sorted, and neither empty nor longer than kTokenBytesMax.
  explicit TokenTrie(const std::vector<Spelling>& spellings);

  const std::vector<Node>& nodes() const { return nodes_; }
  // Tokens that are spelt like another one, which is in the tree: the other one, then they.
  const std::vector<std::pair<int32_t, int32_t>>& twins() const { return twins_; }
  // Bytes of the longest token.
  uint32_t height() const { return height_; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::pair<int32_t, int32_t>> twins_;
  uint32_t height_ = 0;
};
