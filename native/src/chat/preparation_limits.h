#pragma once

#include <atomic>
#include <cstddef>

#include "base/coded_error.h"

// Bounds one preparation of a chat.
struct PreparationLimits {
  // Prompts that are certain to have more tokens are refused before they are tokenised; 0: none are.
  size_t tokens_max;
  // Set when the caller has left or its deadline has passed.
  const std::atomic<bool>& stop;

  // Throws ERR_ABORTED once `stop` is set. Called between pieces of work.
  void poll() const {
    if (stop.load(std::memory_order_relaxed)) throw CodedError("ERR_ABORTED", "the preparation was cancelled");
  }
};
