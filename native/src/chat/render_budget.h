#pragma once

#include <cstdint>

#include "chat/preparation_limits.h"

// Limits how long llama.cpp's template engine renders on this thread while the budget exists. The engine cannot be
// interrupted, and some templates take quadratic time in the number of messages; the addon therefore exports the
// function by which the engine runs each statement and expression (render_budget.cc) and checks the budget there.
class RenderBudget {
 public:
  // Processor time, so that a busy machine does not reject chats.
  static constexpr double kSecondsMax = 4;

  // Unwinds the template engine. Not a std::exception, because the engine catches those and rewrites them.
  struct Stopped {};

  explicit RenderBudget(const PreparationLimits& limits);
  ~RenderBudget();
  RenderBudget(const RenderBudget&) = delete;
  RenderBudget& operator=(const RenderBudget&) = delete;

  // Throws Stopped once the budget is spent or the request is aborted.
  void check();
  // Reports why the engine was stopped: throws ERR_ABORTED or ERR_CHAT_TOO_COMPLEX.
  [[noreturn]] void fail() const;

 private:
  const PreparationLimits& limits_;
  double seconds_end_;
  uint32_t checks_ = 0;
};
