#include "engine/step_plan.h"

#include <string>

#include "base/coded_error.h"

namespace {

[[noreturn]] void refuse(const std::string& message) { throw CodedError("ERR_OUT_OF_RANGE", message); }

// value in [least, end)
void require(const char* name, int64_t value, int64_t least, int64_t end) {
  if (value >= least && value < end) return;
  refuse(std::string(name) + " must be " + std::to_string(least) + "…" + std::to_string(end - 1) + ", got " +
         std::to_string(value));
}

class Reader {
 public:
  explicit Reader(std::span<const int32_t> packed) : packed_(packed) {}
  int32_t next() {
    if (at_ >= packed_.size()) refuse("the packed step ends early");
    return packed_[at_++];
  }
  std::span<const int32_t> take(size_t count) {
    if (count > packed_.size() - at_) refuse("the packed step ends early");
    at_ += count;
    return packed_.subspan(at_ - count, count);
  }
  bool at_end() const { return at_ == packed_.size(); }

 private:
  std::span<const int32_t> packed_;
  size_t at_ = 0;
};

StepOperation read_operation(Reader& reader, const StepLimits& limits) {
  const int32_t kind = reader.next();
  require("operation", kind, StepOperation::kTrim, StepOperation::kMove + 1);
  const int32_t a = reader.next(), b = reader.next(), c = reader.next(), d = reader.next();
  const StepOperation operation{static_cast<StepOperation::Kind>(kind), a, b, c, d};
  if (kind != StepOperation::kDrop) require("sequence", a, 0, limits.sequences);
  if (kind == StepOperation::kTrim) require("from", b, 0, limits.context_per_sequence + 1);
  if (kind == StepOperation::kCopy || kind == StepOperation::kMove) require("to", b, 0, limits.sequences);
  if (kind == StepOperation::kCopy) require("length", c, 0, limits.context_per_sequence + 1);
  if (kind == StepOperation::kSave || kind == StepOperation::kRestore) {
    require("from", c, 0, limits.context_per_sequence);
    const bool is_save = kind == StepOperation::kSave;
    require(is_save ? "to" : "length", d, is_save ? int64_t{c} + 1 : 1, limits.context_per_sequence + 1);
  }
  return operation;
}

}  // namespace

void StepPlan::parse(std::span<const int32_t> packed, const StepLimits& limits) {
  operations.clear();
  rows.clear();
  tokens.clear();
  Reader reader(packed);
  const int32_t operation_count = reader.next(), row_count = reader.next();
  require("operation count", operation_count, 0, static_cast<int64_t>(packed.size()) + 1);
  require("row count", row_count, 0, limits.sequences + 1);
  for (int32_t index = 0; index < operation_count; ++index) operations.push_back(read_operation(reader, limits));

  int64_t draw_total = 0;
  for (int32_t index = 0; index < row_count; ++index) {
    const int32_t sequence = reader.next(), adapter = reader.next(), position = reader.next();
    const int32_t count = reader.next(), draws = reader.next();
    require("sequence", sequence, 0, limits.sequences);
    require("adapter", adapter, 0, int64_t{limits.adapters} + 1);
    for (const StepRow& row : rows) {
      if (row.sequence == sequence) refuse("sequence " + std::to_string(sequence) + " has two rows in one step");
    }
    require("a row's token count", count, 1, limits.batch_tokens + 1);
    require("position", position, 0, static_cast<int64_t>(limits.context_per_sequence) - count + 1);
    require("a row's draw count", draws, 0, static_cast<int64_t>(count) + 1);
    draw_total += draws;
    const auto row_tokens = reader.take(static_cast<size_t>(count));
    const bool is_image = limits.images && row_tokens[0] < 0;
    if (is_image && draws > 0) refuse("a row of an image draws no token");
    for (const int32_t token : row_tokens) {
      require("token", token, is_image ? INT32_MIN : 0, is_image ? 0 : limits.vocabulary);
    }
    rows.push_back({sequence, adapter, position, static_cast<size_t>(draws), tokens.size(), row_tokens.size(), is_image});
    tokens.insert(tokens.end(), row_tokens.begin(), row_tokens.end());
  }
  require("the step's token count", static_cast<int64_t>(tokens.size()), 0, limits.batch_tokens + 1);
  require("the step's draw count", draw_total, 0, static_cast<int64_t>(limits.draws) + 1);
  if (!reader.at_end()) refuse("the packed step has values after its last row");
}
