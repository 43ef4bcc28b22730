#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/compute_threads.h"
#include "engine/llama_engine.h"
#include "engine/loading.h"
#include "kernels/cpu_kernels.h"

struct EmbedderOptions {
  // One pass holds `batch_tokens` tokens of at most `sequences` texts; the context has the length of a pass.
  ModelOptions model;
  enum llama_pooling_type pooling = LLAMA_POOLING_TYPE_UNSPECIFIED;  // UNSPECIFIED: as the file states.
  bool vocabulary_only = false;
};

struct EmbedderFacts {
  std::string architecture;
  std::string tokenizer;
  std::string description;
  std::string device;
  int32_t trained_context = 0;
  int32_t vocabulary = 0;
  int32_t dimensions = 0;  // 0 if only the vocabulary is loaded.
};

// A loaded model with a context that returns one vector per text, which is one logit if the model is a cross-encoder.
// `tokenize` may be called on any thread, the rest on one thread at a time.
class LlamaEmbedder {
 public:
  LlamaEmbedder(const EmbedderOptions& options, LoadProgress& progress);
  ~LlamaEmbedder();
  LlamaEmbedder(const LlamaEmbedder&) = delete;
  LlamaEmbedder& operator=(const LlamaEmbedder&) = delete;

  const EmbedderFacts& facts() const { return facts_; }
  const llama_vocab* vocab() const { return llama_model_get_vocab(model_.get()); }

  // Throws ERR_OUT_OF_RANGE if the texts do not fit one pass.
  void require_fits(std::span<const int32_t> tokens, std::span<const int32_t> lengths) const;
  // tokens: the texts one after another. Returns [texts, dimensions], not normalised. Throws ERR_DECODE,
  // ERR_LOGITS_INVALID.
  std::vector<float> embed(std::span<const int32_t> tokens, std::span<const int32_t> lengths);

 private:
  void open_context(const EmbedderOptions& options, LlamaParameters& parameters);
  void fill_batch(std::span<const int32_t> tokens, std::span<const int32_t> lengths);

  std::atomic<bool> aborted_{false};
  std::unique_ptr<ComputeThreads> threads_;
  CpuKernels kernels_;
  ModelPointer model_;
  ContextPointer context_;
  llama_memory_t memory_ = nullptr;  // Null for models that encode whole texts.
  std::unique_ptr<Batch> batch_;
  int32_t sequences_;
  int32_t batch_tokens_;
  EmbedderFacts facts_;
};
