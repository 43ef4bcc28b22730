#include "engine/llama_embedder.h"

#include <cmath>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "engine/model_facts.h"
#include "engine/reranker_head.h"
#include "platform/exit_gate.h"

namespace {

bool is_aborted(void* aborted) { return *static_cast<std::atomic<bool>*>(aborted); }

}  // namespace

LlamaEmbedder::LlamaEmbedder(const EmbedderOptions& options, LoadProgress& progress)
    : sequences_(options.model.sequences), batch_tokens_(options.model.batch_tokens) {
  LlamaParameters parameters(options.model);
  parameters.model.vocab_only = options.vocabulary_only;
  model_ = load_model(options.model, parameters, progress);
  facts_ = {
      .architecture = read_metadata(model_.get(), "general.architecture"),
      .tokenizer = read_metadata(model_.get(), "tokenizer.ggml.model"),
      .description = describe_model(model_.get()),
      .device = describe_device(model_.get(), options.model, parameters),
      .trained_context = llama_model_n_ctx_train(model_.get()),
      .vocabulary = llama_vocab_n_tokens(vocab()),
  };
  if (options.vocabulary_only) return;
  if (options.pooling == LLAMA_POOLING_TYPE_RANK) require_reranker(model_.get(), options.model.model_path);
  open_context(options, parameters);
  // Verifies that the model computes, and reads the weights into memory.
  const std::vector<int32_t> token{0}, length{1};
  embed(token, length);
}

LlamaEmbedder::~LlamaEmbedder() {
  wipe_memory(memory_);
  if (context_) llama_detach_threadpool(context_.get());
}

void LlamaEmbedder::open_context(const EmbedderOptions& options, LlamaParameters& parameters) {
  llama_context_params& context = parameters.context;
  context.embeddings = true;
  context.pooling_type = options.pooling;
  // Texts of any lengths share the cells of one pass.
  context.kv_unified = true;
  context.n_ctx = context.n_batch;
  // Pooling reads every token.
  context.n_outputs_max = 0;
  context.n_outputs_max_per_seq = 0;
  context.abort_callback = is_aborted;
  context.abort_callback_data = &aborted_;
  if (CpuKernels::serve(options.model)) kernels_.enter(context);
  threads_ = std::make_unique<ComputeThreads>(options.model.threads, options.model.poll);
  context_ = make_context(model_.get(), parameters);
  memory_ = llama_get_memory(context_.get());
  const enum llama_pooling_type pooling = llama_pooling_type(context_.get());
  if (pooling == LLAMA_POOLING_TYPE_NONE) {
    throw CodedError("ERR_MODEL_LOAD", "the file does not say how to pool: set `pooling`");
  }
  const bool ranks = pooling == LLAMA_POOLING_TYPE_RANK;
  if (ranks && options.pooling != LLAMA_POOLING_TYPE_RANK) {
    throw CodedError("ERR_MODEL_LOAD", "this model ranks texts, it does not embed them: its kind is llama-reranker");
  }
  threads_->attach(context_.get(), options.model.use_gpu);
  facts_.dimensions = ranks ? 1 : llama_model_n_embd_out(model_.get());
  batch_ = std::make_unique<Batch>(batch_tokens_);
}

void LlamaEmbedder::require_fits(std::span<const int32_t> tokens, std::span<const int32_t> lengths) const {
  const auto refuse = [](const std::string& message) { throw CodedError("ERR_OUT_OF_RANGE", message); };
  if (!context_) refuse("only the vocabulary is loaded");
  if (lengths.empty() || lengths.size() > static_cast<size_t>(sequences_)) refuse("too many texts, or none");
  if (tokens.size() > static_cast<size_t>(batch_tokens_)) refuse("too many tokens for one pass");
  size_t total = 0;
  for (const int32_t length : lengths) {
    if (length < 1 || length > facts_.trained_context) refuse("a text has no tokens, or too many");
    total += static_cast<size_t>(length);
  }
  if (total != tokens.size()) refuse("lengths and tokens do not match");
  for (const int32_t token : tokens) {
    if (token < 0 || token >= facts_.vocabulary) refuse("a token is not in the vocabulary");
  }
}

std::vector<float> LlamaEmbedder::embed(std::span<const int32_t> tokens, std::span<const int32_t> lengths) {
  const ComputePass pass(aborted_);
  const LogCapture log;
  fill_batch(tokens, lengths);
  int32_t failure = 0;
  try {
    const ComputeThreads::Graph graph(*threads_);
    // A model without a KV cache encodes whole texts; llama_decode would only forward the call, with a warning.
    failure =
        memory_ == nullptr ? llama_encode(context_.get(), batch_->get()) : llama_decode(context_.get(), batch_->get());
    llama_synchronize(context_.get());
  } catch (const std::exception& error) {
    throw CodedError("ERR_DECODE", error.what());
  }
  if (memory_ != nullptr) llama_memory_clear(memory_, false);
  if (aborted_) throw CodedError("ERR_ABORTED", "the embedder is stopping");
  if (failure != 0) throw CodedError("ERR_DECODE", "llama.cpp failed with " + std::to_string(failure));

  const size_t width = static_cast<size_t>(facts_.dimensions);
  std::vector<float> vectors;
  vectors.reserve(lengths.size() * width);
  for (size_t sequence = 0; sequence < lengths.size(); ++sequence) {
    const float* vector = llama_get_embeddings_seq(context_.get(), static_cast<llama_seq_id>(sequence));
    if (vector == nullptr) throw CodedError("ERR_DECODE", "llama.cpp computed no embedding for a text");
    for (size_t index = 0; index < width; ++index) {
      if (!std::isfinite(vector[index])) throw CodedError("ERR_LOGITS_INVALID", "the model computed NaN");
    }
    vectors.insert(vectors.end(), vector, vector + width);
  }
  return vectors;
}

void LlamaEmbedder::fill_batch(std::span<const int32_t> tokens, std::span<const int32_t> lengths) {
  llama_batch& batch = batch_->get();
  batch.n_tokens = 0;
  for (size_t sequence = 0; sequence < lengths.size(); ++sequence) {
    for (int32_t position = 0; position < lengths[sequence]; ++position) {
      const int32_t slot = batch.n_tokens++;
      batch.token[slot] = tokens[static_cast<size_t>(slot)];
      batch.pos[slot] = position;
      batch.n_seq_id[slot] = 1;
      batch.seq_id[slot][0] = static_cast<llama_seq_id>(sequence);
      batch.logits[slot] = true;
    }
  }
}
