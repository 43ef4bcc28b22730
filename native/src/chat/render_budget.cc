#include "chat/render_budget.h"

#include <dlfcn.h>
#include <time.h>

#include <cstdlib>

#include "base/exported.h"
#include "jinja/runtime.h"

namespace {

// Reading the clock is a system call, which takes about as long as a small expression.
constexpr uint32_t kChecksPerClock = 32;

thread_local RenderBudget* current = nullptr;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

RenderBudget::RenderBudget(const PreparationLimits& limits)
    : limits_(limits), seconds_end_(thread_seconds() + kSecondsMax) {
  current = this;
}

RenderBudget::~RenderBudget() { current = nullptr; }

void RenderBudget::check() {
  if (limits_.stop.load(std::memory_order_relaxed)) throw Stopped();
  if (++checks_ % kChecksPerClock == 0 && thread_seconds() > seconds_end_) throw Stopped();
}

void RenderBudget::fail() const {
  limits_.poll();
  throw CodedError("ERR_CHAT_TOO_COMPLEX", "the chat template takes more than " +
                                               std::to_string(static_cast<int>(kSecondsMax)) +
                                               " s of processor time for these messages");
}

EXPORTED jinja::value jinja::statement::execute(context& ctx) const {
  // libllama-common's own function, which the addon's function of this name hides.
  using Execute = value (*)(const statement*, context&);
  static const auto execute = reinterpret_cast<Execute>(dlsym(RTLD_NEXT, "_ZNK5jinja9statement7executeERNS_7contextE"));
  if (current != nullptr) current->check();
  return execute(this, ctx);
}
