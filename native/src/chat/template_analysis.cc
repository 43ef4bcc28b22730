// llama.cpp analyses a chat template anew for every chat, which renders it dozens of times: 1 to 9 ms with the templates
// that it ships. The analysis depends on the template alone, so the addon exports the function and keeps its results.

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>

#include "base/exported.h"
#include "chat-auto-parser.h"

namespace {

// More than the templates of the models that a server has loaded; the oldest analysis is dropped first.
constexpr size_t kAnalysesMax = 64;

struct Analysis {
  // The result may point to the template, so it serves only the template at this address.
  const common_chat_template* owner;
  std::string source;
  std::string bos_token;
  std::string eos_token;
  autoparser::autoparser result;
};

class Analyses {
 public:
  // Returns whether the analysis was known.
  bool read(const common_chat_template& owner, autoparser::autoparser& result) {
    const std::lock_guard lock(mutex_);
    const auto known = find(owner);
    if (known == analyses_.end() || known->source != owner.source() || known->bos_token != owner.bos_token() ||
        known->eos_token != owner.eos_token()) {
      return false;
    }
    result = known->result;
    return true;
  }

  void keep(const common_chat_template& owner, const autoparser::autoparser& result) {
    const std::lock_guard lock(mutex_);
    // A template at the address of one that was unloaded.
    if (const auto stale = find(owner); stale != analyses_.end()) analyses_.erase(stale);
    if (analyses_.size() == kAnalysesMax) analyses_.pop_front();
    analyses_.push_back({&owner, owner.source(), owner.bos_token(), owner.eos_token(), result});
  }

 private:
  std::deque<Analysis>::iterator find(const common_chat_template& owner) {
    return std::find_if(analyses_.begin(), analyses_.end(), [&](const Analysis& one) { return one.owner == &owner; });
  }

  std::mutex mutex_;
  std::deque<Analysis> analyses_;
};

Analyses& analyses() {
  static Analyses all;
  return all;
}

}  // namespace

EXPORTED void autoparser::autoparser::analyze_template(const common_chat_template& tmpl) {
  if (analyses().read(tmpl, *this)) return;
  // libllama-common's own function, which the addon's function of this name hides.
  using Analyze = void (*)(autoparser*, const common_chat_template&);
  static const auto analyze = reinterpret_cast<Analyze>(
      dlsym(RTLD_NEXT, "_ZN10autoparser10autoparser16analyze_templateERK20common_chat_template"));
  analyze(this, tmpl);
  analyses().keep(tmpl, *this);
}
