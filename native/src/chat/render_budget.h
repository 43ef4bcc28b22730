#pragma once

#include <cstdint>

#include "chat/preparation_limits.h"

// Bounds how long llama.cpp's template engine renders on this thread while the budget lives. The engine cannot be
// interrupted by itself and some templates take the square of the number of messages, so the addon exports the function
// by which the engine runs each statement and expression of a template (render_budget.cc) and checks the budget there.
class RenderBudget {
 public:
  // Time of the processor: a machine that is busy with other work refuses no chat for it.
  static constexpr double kSecondsMax = 4;

  // Unwinds the template engine. Not a std::exception: the engine catches those and rewrites them.
  struct Stopped {};

  explicit RenderBudget(const PreparationLimits& limits);
  ~RenderBudget();
  RenderBudget(const RenderBudget&) = delete;
  RenderBudget& operator=(const RenderBudget&) = delete;

  // Throws Stopped once the budget is spent or the caller has left.
  void check();
  // Reports what stopped the engine: throws ERR_ABORTED or ERR_CHAT_TOO_COMPLEX.
  [[noreturn]] void fail() const;

 private:
  const PreparationLimits& limits_;
  double seconds_end_;
  uint32_t checks_ = 0;
};
