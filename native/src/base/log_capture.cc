#include "base/log_capture.h"

#include "llama.h"
#include "log.h"
#include "mtmd.h"

namespace {

constexpr size_t kCapturedBytesMax = 16 * 1024;
constexpr size_t kReasonBytesMax = 600;

thread_local LogCapture* current_capture = nullptr;

void receive_log(ggml_log_level level, const char* text, void*) {
  const bool matters = level == GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_ERROR || level == GGML_LOG_LEVEL_CONT;
  if (current_capture != nullptr && matters) current_capture->add(text);
}

// "llama_model_load: error loading model: missing tensor" → "missing tensor".
std::string without_preamble(std::string line) {
  const size_t failure = line.find("error loading model");
  const size_t reason = failure == std::string::npos ? failure : line.find(": ", failure);
  if (reason != std::string::npos) line = line.substr(reason + 2);
  const size_t colon = line.find(": ");
  const bool starts_with_function = colon != std::string::npos && line.find_first_of(" '\"(") > colon;
  return starts_with_function ? line.substr(colon + 2) : line;
}

}  // namespace

void silence_logs() {
  llama_log_set(receive_log, nullptr);
  mtmd_log_set(receive_log, nullptr);
  // The chat parser logs the model's output, so every level is switched off, errors included.
  common_log_set_verbosity_thold(-1);
}

LogCapture::LogCapture() : outer_(current_capture) { current_capture = this; }
LogCapture::~LogCapture() { current_capture = outer_; }

void LogCapture::add(const char* text) {
  text_ += text;
  if (text_.size() > kCapturedBytesMax) text_.erase(0, text_.size() - kCapturedBytesMax);
}

std::string LogCapture::reason() const {
  std::string reason;
  size_t start = 0;
  while (start < text_.size()) {
    size_t end = text_.find('\n', start);
    if (end == std::string::npos) end = text_.size();
    const std::string line = without_preamble(text_.substr(start, end - start));
    start = end + 1;
    // llama.cpp ends every failed load with these two lines, which carry no information.
    if (line.empty() || line == "failed to load model" || line.find("failed to load model from file") == 0) continue;
    if (reason.size() + line.size() + 2 > kReasonBytesMax) break;
    if (reason.find(line) != std::string::npos) continue;
    if (!reason.empty()) reason += "; ";
    reason += line;
  }
  return reason;
}
