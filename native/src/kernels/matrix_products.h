#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "ggml.h"

// All products of a node: of one matrix, or of the experts that each token chose. Every thread finds them by itself,
// and finds the same.
class MatrixProducts {
 public:
  // A row of activations and where its products go.
  struct Row {
    const float* activations;
    float* results;
  };
  // Rows that are multiplied with the same matrix.
  struct Group {
    const uint8_t* weights;
    int64_t first, count;
  };

  // Whether this node has the layout that `find` reads.
  static bool are_computed_by(const ggml_tensor* node);

  void find(const ggml_tensor* node);
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Group>& groups() const { return groups_; }

 private:
  void find_of_experts(const ggml_tensor* node);

  std::vector<Row> rows_;
  std::vector<Group> groups_;
};

// Distributes the parts of all matrices among threads: each takes a few parts at a time.
class Shares {
 public:
  // Call on one thread, before a barrier that all threads wait for and after the last `take`.
  void reset() { next_ = 0; }

  // Calls compute(group, part) for the parts that this thread takes, of `parts` per group; groups by their index.
  template <typename Compute>
  void take(const MatrixProducts& products, int64_t parts, int threads, const Compute& compute) {
    const auto units = parts * static_cast<int64_t>(products.groups().size());
    const int64_t share = std::max<int64_t>(1, units / (kSharesPerThread * threads));
    for (int64_t first = next_.fetch_add(share); first < units; first = next_.fetch_add(share)) {
      for (int64_t unit = first; unit < std::min(first + share, units); ++unit) {
        compute(static_cast<size_t>(unit / parts), unit % parts);
      }
    }
  }

 private:
  static constexpr int64_t kSharesPerThread = 8;

  std::atomic<int64_t> next_{0};
};
