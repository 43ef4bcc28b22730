#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chat/chat_format.h"
#include "chat/image_encoder.h"
#include "engine/compute_threads.h"
#include "engine/loading.h"
#include "engine/lora_adapters.h"
#include "engine/sequence_memory.h"
#include "engine/step_plan.h"
#include "engine/step_sampler.h"
#include "kernels/cpu_kernels.h"
#include "sampling/vocabulary.h"

struct StepOutcome {
  std::vector<DrawnRow> drawn;        // The rows that draw, in order.
  std::vector<SampledToken> sampled;  // The tokens of all rows, row by row.
  int64_t decode_micros = 0;
  // Of the forward pass, in the project's own kernels: zero where they do not serve.
  int64_t product_micros = 0;
  int64_t attention_micros = 0;
  int64_t sample_micros = 0;
  int32_t threads = 0;  // Threads that computed the forward pass.
};

struct ModelFacts {
  std::string architecture;
  std::string description;
  std::string device;
  double parameter_count;
  double weight_bytes;
  int32_t trained_context;
  int32_t context_per_sequence;
  int32_t sequences;
  int32_t batch_tokens;
  int32_t prompt_tile_tokens;
  int32_t draft_tokens;
  double state_bytes_fixed;
  double state_bytes_per_token;
  bool can_trim;
  bool can_split;
  bool supports_tools;
  bool supports_reasoning;
  bool supports_infill;
  int32_t image_tokens_max;  // 0: the model takes no images.
};

// Owns llama.cpp's arrays for one batch.
class Batch {
 public:
  // width: of embeddings, in place of tokens; 0 for tokens.
  explicit Batch(int32_t tokens, int32_t width = 0) : batch_(llama_batch_init(tokens, width, 1)) {}
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  llama_batch& get() { return batch_; }

 private:
  llama_batch batch_;
};

// A loaded model with its context. Facts, vocabulary and chat format are immutable; everything else belongs to one
// thread.
class LlamaEngine {
 public:
  LlamaEngine(const ModelOptions& options, LoadProgress& progress);
  // Zeroes the saved states and the KV cache.
  ~LlamaEngine();
  LlamaEngine(const LlamaEngine&) = delete;
  LlamaEngine& operator=(const LlamaEngine&) = delete;

  const ModelFacts& facts() const { return facts_; }
  const VocabularyTable& vocabulary() const { return vocabulary_; }
  const llama_vocab* vocab() const { return llama_model_get_vocab(model_.get()); }
  const ChatFormat& chat_format() const { return *chat_format_; }
  StepLimits limits() const;
  // Null if the model takes no images. Any thread.
  ImageEncoder* images() const { return images_.get(); }

  // `chat`: null for a prompt that was not prepared.
  void begin_sampling(int32_t sequence, SamplingParameters parameters, std::shared_ptr<const PreparedChat> chat);
  // Frees the samplers of all sequences, together with the grammars and token counts of their answers and the images of
  // their prompts.
  void end_sampling();
  // Throws ERR_NO_KV_SLOT, ERR_DECODE, ERR_STATE, ERR_LOGITS_INVALID, ERR_ABORTED. After a failure the sequences of the
  // plan contain an unknown part of it: trim them.
  void run(const StepPlan& plan, StepOutcome& outcome);

  // Makes the running step and all later ones fail with ERR_ABORTED. Any thread.
  void abort() { aborted_ = true; }

 private:
  void apply(std::span<const StepOperation> operations);
  void apply(const StepOperation& operation);
  void move(int32_t sequence, int32_t to);
  static std::vector<int32_t> adapters_of(const StepPlan& plan);
  // Computes the rows with this adapter.
  void decode(const StepPlan& plan, int32_t adapter);
  void decode_images(const StepPlan& plan, int32_t adapter);
  void compute(const llama_batch& batch);
  std::span<float> logits_of(size_t slot);
  void trim_rejected_drafts(const StepPlan& plan, const StepDraws& draws);
  void warm_up();
  void gather_facts(const ModelOptions& options, const LlamaParameters& parameters);

  std::atomic<bool> aborted_{false};
  ComputeThreads threads_;
  CpuKernels kernels_;
  ModelPointer model_;
  std::optional<LoraAdapters> adapters_;
  std::unique_ptr<ChatFormat> chat_format_;
  ContextPointer context_;
  std::optional<SequenceMemory> sequences_;
  Batch batch_;
  ModelFacts facts_;
  VocabularyTable vocabulary_;
  StepSampler sampler_;
  std::unique_ptr<ImageEncoder> images_;
  std::unique_ptr<Batch> image_batch_;
  std::vector<std::shared_ptr<const PreparedChat>> prompts_;  // Per sequence: its prompt, if that has images.
};
