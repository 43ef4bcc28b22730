#pragma once

#include <atomic>
#include <cstddef>

#include "base/coded_error.h"

// The limits of one preparation of a chat.
struct PreparationLimits {
  // A prompt that certainly has more tokens than this is rejected before it is tokenised; 0 means no limit.
  size_t tokens_max;
  // Set when the client has disconnected or the deadline has passed.
  const std::atomic<bool>& stop;

  // Throws ERR_ABORTED once `stop` is set. Long work calls this at intervals.
  void poll() const {
    if (stop.load(std::memory_order_relaxed)) throw CodedError("ERR_ABORTED", "the preparation was cancelled");
  }
};
