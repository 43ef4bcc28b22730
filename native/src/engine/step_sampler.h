#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/sequence_sampler.h"
#include "engine/step_plan.h"
#include "kernels/phases.h"
#include "kernels/thread_team.h"

// What the rows of one step have drawn, in the order of its plan.
class StepDraws {
 public:
  explicit StepDraws(size_t rows) : rows_(rows) {}

  // How many tokens a row has drawn.
  int32_t count(size_t row) const { return static_cast<int32_t>(rows_[row].tokens.size()); }
  // Appends the results of the rows that draw, and all their tokens.
  void move_to(const StepPlan& plan, std::vector<DrawnRow>& drawn, std::vector<SampledToken>& sampled);

 private:
  friend class StepSampler;
  struct Row {
    std::vector<SampledToken> tokens;
    AnswerFailure failure = AnswerFailure::kNone;
  };
  std::vector<Row> rows_;
};

// The samplers of all sequences, and the threads that run them. Belongs to one thread.
class StepSampler {
 public:
  // The logits after a token of the last forward pass, by the token's position in it.
  using Logits = std::function<std::span<float>(size_t slot)>;

  StepSampler(int32_t sequences, int32_t threads);
  // Once, before `begin`. Tokens that the vocabulary suppresses are never drawn.
  void use(const llama_vocab* vocab);

  // `grammar` may be null.
  void begin(int32_t sequence, SamplingParameters parameters, std::unique_ptr<Grammar> grammar);
  void move(int32_t sequence, int32_t to);
  // Frees the samplers of all sequences, together with the grammars and token counts of their answers.
  void end();

  // Draws for the rows of a plan that have this adapter, which the last forward pass computed. Throws
  // ERR_LOGITS_INVALID; a failure of one answer is part of the draws.
  void sample(const StepPlan& plan, int32_t adapter, const Logits& logits, StepDraws& draws);

 private:
  const llama_vocab* vocab_ = nullptr;
  std::vector<std::pair<int32_t, float>> suppressed_;
  std::vector<std::optional<SequenceSampler>> samplers_;
  std::vector<SamplerWorkspace> workspaces_;  // By thread.
  // What the team does in a run: draw_row_(row, thread) for every row below rows_.
  std::function<void(size_t row, size_t thread)> draw_row_;
  size_t rows_ = 0;
  Phases phases_{1};
  ThreadTeam team_;  // Last, so that its threads end before the other members.
};
