#include "engine/step_sampler.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>

namespace {

// Below this many logits, waking helper threads costs more than they save.
constexpr size_t kParallelLogits = 100'000;
constexpr size_t kSamplingThreadsMax = 8;

// A row of a step for which tokens are being drawn.
struct DrawingRow {
  size_t index;  // In the plan.
  SequenceSampler* sampler;
  std::span<const int32_t> drafts;
  std::vector<std::span<float>> logits;  // After the last drawn token, then after each draft token.
};

// Draws the same tokens as without drafts: each from the logits after the token before it, until a draft token differs
// from the token drawn.
void draw(const DrawingRow& row, SamplerWorkspace& workspace, std::vector<SampledToken>& tokens) {
  for (size_t index = 0; index < row.logits.size(); ++index) {
    tokens.push_back(row.sampler->next(row.logits[index], workspace));
    if (index < row.drafts.size() && tokens.back().token != row.drafts[index]) return;
  }
}

}  // namespace

void StepDraws::move_to(const StepPlan& plan, std::vector<DrawnRow>& drawn, std::vector<SampledToken>& sampled) {
  for (size_t index = 0; index < rows_.size(); ++index) {
    if (plan.rows[index].draw_count == 0) continue;
    Row& row = rows_[index];
    drawn.push_back({static_cast<int32_t>(row.tokens.size()), row.failure});
    std::move(row.tokens.begin(), row.tokens.end(), std::back_inserter(sampled));
  }
}

StepSampler::StepSampler(int32_t sequences, int32_t threads)
    : samplers_(static_cast<size_t>(sequences)),
      workspaces_(std::min(static_cast<size_t>(threads), kSamplingThreadsMax)),
      team_(workspaces_.size(), [this](size_t thread) {
        Phases::Walk(phases_).each(static_cast<int64_t>(rows_),
                                   [&](int64_t row) { draw_row_(static_cast<size_t>(row), thread); });
      }) {}

void StepSampler::use(const llama_vocab* vocab) {
  vocab_ = vocab;
  int32_t count = 0;
  const llama_token* tokens = llama_vocab_get_suppress_tokens(vocab, &count);
  for (int32_t index = 0; index < count; ++index) {
    suppressed_.emplace_back(tokens[index], -std::numeric_limits<float>::infinity());
  }
}

void StepSampler::begin(int32_t sequence, SamplingParameters parameters, std::unique_ptr<Grammar> grammar) {
  parameters.logit_bias.insert(parameters.logit_bias.end(), suppressed_.begin(), suppressed_.end());
  samplers_[static_cast<size_t>(sequence)].emplace(vocab_, std::move(parameters), std::move(grammar));
}

void StepSampler::move(int32_t sequence, int32_t to) {
  auto& from = samplers_[static_cast<size_t>(sequence)];
  samplers_[static_cast<size_t>(to)] = std::move(from);
  from.reset();
}

void StepSampler::end() {
  for (auto& sampler : samplers_) sampler.reset();
}

void StepSampler::sample(const StepPlan& plan, int32_t adapter, const Logits& logits, StepDraws& draws) {
  std::vector<DrawingRow> rows;
  size_t end = 0, count = 0;
  for (size_t index = 0; index < plan.rows.size(); ++index) {
    const StepRow& row = plan.rows[index];
    if (row.is_image || row.adapter != adapter) continue;
    end += row.token_count;
    if (row.draw_count == 0) continue;
    auto& sampler = samplers_[static_cast<size_t>(row.sequence)];
    if (!sampler) sampler.emplace(vocab_, SamplingParameters{}, nullptr);
    DrawingRow& drawing = rows.emplace_back();
    drawing.index = index;
    drawing.sampler = &*sampler;
    drawing.drafts =
        std::span(plan.tokens).subspan(row.first_token + row.token_count - row.draw_count + 1, row.draw_count - 1);
    for (size_t slot = end - row.draw_count; slot < end; ++slot) drawing.logits.push_back(logits(slot));
    count += row.draw_count;
  }

  std::vector<std::exception_ptr> failures(rows.size());
  const auto draw_row = [&](size_t row, size_t thread) {
    StepDraws::Row& drawn = draws.rows_[rows[row].index];
    try {
      draw(rows[row], workspaces_[thread], drawn.tokens);
    } catch (const CodedError& error) {
      // Only this answer fails: it draws nothing, and the others continue.
      drawn.failure = answer_failure(error);
      if (drawn.failure == AnswerFailure::kNone) failures[row] = std::current_exception();
      drawn.tokens.clear();
    } catch (...) {
      failures[row] = std::current_exception();
    }
  };
  if (rows.size() > 1 && count * static_cast<size_t>(llama_vocab_n_tokens(vocab_)) >= kParallelLogits) {
    team_.run([&] {
      phases_.reset();
      rows_ = rows.size();
      draw_row_ = draw_row;
    });
  } else {
    for (size_t row = 0; row < rows.size(); ++row) draw_row(row, 0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}
