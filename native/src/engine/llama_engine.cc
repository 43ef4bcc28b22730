#include "engine/llama_engine.h"

#include <malloc.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "engine/model_facts.h"
#include "platform/exit_gate.h"

namespace {

// Below this many logits, waking helper threads costs more than they save.
constexpr size_t kParallelLogits = 100'000;
constexpr size_t kSamplingThreadsMax = 8;
constexpr int32_t kWarmUpTokens = 8;
// ggml's CPU attention processes this many tokens of a prompt together, and the tokens of shorter prompts one by one.
constexpr int32_t kGgmlTileTokens = 64;

bool is_recurrent(const llama_model* model) { return llama_model_is_recurrent(model) || llama_model_is_hybrid(model); }

bool is_aborted(void* aborted) { return *static_cast<std::atomic<bool>*>(aborted); }

// A row of a step for which tokens are being drawn.
struct DrawingRow {
  SequenceSampler* sampler;
  std::span<const int32_t> drafts;
  std::vector<std::span<float>> logits;  // After the last drawn token, then after each draft token.
  std::vector<SampledToken> sampled;
};

// Draws the same tokens as without drafts: each from the logits after the token before it, until a draft token differs
// from the token drawn.
void draw(DrawingRow& row, SamplerWorkspace& workspace) {
  for (size_t index = 0; index < row.logits.size(); ++index) {
    row.sampled.push_back(row.sampler->next(row.logits[index], workspace));
    if (index < row.drafts.size() && row.sampled.back().token != row.drafts[index]) return;
  }
}

}  // namespace

LlamaEngine::LlamaEngine(const ModelOptions& options, LoadProgress& progress)
    : threads_(options.threads, options.poll),
      batch_(options.batch_tokens),
      samplers_(static_cast<size_t>(options.sequences)),
      prompts_(static_cast<size_t>(options.sequences)),
      pool_(std::min(static_cast<size_t>(options.threads), kSamplingThreadsMax)),
      workspaces_(pool_.threads()) {
  LlamaParameters parameters(options);
  model_ = load_model(options, parameters, progress);
  chat_format_ = std::make_unique<ChatFormat>(model_.get());
  parameters.context.abort_callback = is_aborted;
  parameters.context.abort_callback_data = &aborted_;
  if (CpuKernels::serve(options)) kernels_.enter(parameters.context);
  context_ = make_context(model_.get(), parameters);
  sequences_.emplace(context_.get(), options.unified_kv, !is_recurrent(model_.get()));
  threads_.attach(context_.get(), options.use_gpu);

  int32_t suppressed_count = 0;
  const llama_token* suppressed = llama_vocab_get_suppress_tokens(vocab(), &suppressed_count);
  for (int32_t index = 0; index < suppressed_count; ++index) {
    suppressed_.emplace_back(suppressed[index], -std::numeric_limits<float>::infinity());
  }
  vocabulary_ = read_vocabulary(vocab());
  if (!options.projector_path.empty()) {
    images_ = load_projector(options, model_.get());
    image_batch_ = std::make_unique<Batch>(options.batch_tokens, images_->width());
  }
  gather_facts(options, parameters);
  warm_up();
  malloc_trim(0);  // Reading the file's metadata leaves tens of megabytes of free heap behind.
}

LlamaEngine::~LlamaEngine() {
  sequences_.reset();
  if (context_) llama_detach_threadpool(context_.get());
}

StepLimits LlamaEngine::limits() const {
  const int32_t draws = std::min(facts_.batch_tokens, facts_.sequences + facts_.draft_tokens);
  return {facts_.sequences, facts_.context_per_sequence, facts_.batch_tokens, draws, llama_vocab_n_tokens(vocab()), images_ != nullptr};
}

void LlamaEngine::gather_facts(const ModelOptions& options, const LlamaParameters& parameters) {
  const llama_model* model = model_.get();
  const bool recurrent = is_recurrent(model);
  facts_ = {
      .architecture = read_metadata(model, "general.architecture"),
      .description = describe_model(model),
      .device = describe_device(model, options, parameters),
      .parameter_count = static_cast<double>(llama_model_n_params(model)),
      .weight_bytes = static_cast<double>(llama_model_size(model)),
      .trained_context = llama_model_n_ctx_train(model),
      .context_per_sequence =
          options.unified_kv ? options.context_per_sequence : static_cast<int32_t>(llama_n_ctx_seq(context_.get())),
      .sequences = options.sequences,
      .batch_tokens = options.batch_tokens,
      .prompt_tile_tokens = options.use_gpu || CpuKernels::serve(options) ? 1 : kGgmlTileTokens,
      // A recurrent state cannot be truncated, so it could not forget a rejected draft token.
      .draft_tokens = recurrent ? 0 : options.draft_tokens,
      .state_bytes_fixed = 0,
      .state_bytes_per_token = 0,
      .can_trim = !recurrent,
      .can_split = false,
      .supports_tools = chat_format_->supports_tools(),
      .supports_reasoning = chat_format_->supports_reasoning(),
      .image_tokens_max = images_ ? images_->tokens_max() : 0,
  };
}

// Reads the weights into memory, verifies that the model computes, and measures the size of a sequence's state:
// attention adds to it with every token, a recurrent layer has a state of fixed size, and hybrid models have both.
void LlamaEngine::warm_up() {
  const int32_t bos = llama_vocab_bos(vocab());
  const int32_t count = std::min(kWarmUpTokens, facts_.batch_tokens);
  StepPlan plan;
  plan.tokens.assign(static_cast<size_t>(count), bos == LLAMA_TOKEN_NULL ? 0 : bos);
  plan.rows.push_back({0, 0, 0, 0, plan.tokens.size()});
  decode(plan);
  const auto once = static_cast<double>(sequences_->state_bytes(0));
  plan.rows.front().position = count;
  decode(plan);
  const auto twice = static_cast<double>(sequences_->state_bytes(0));
  facts_.state_bytes_per_token = std::max(0.0, (twice - once) / count);
  facts_.state_bytes_fixed = std::max(0.0, once - facts_.state_bytes_per_token * count);
  facts_.can_split = sequences_->split_states();
  sequences_->clear();
}

void LlamaEngine::begin_sampling(int32_t sequence, SamplingParameters parameters,
                                 std::shared_ptr<const PreparedChat> chat) {
  const Grammar* grammar = chat ? chat->grammar.get() : nullptr;
  parameters.logit_bias.insert(parameters.logit_bias.end(), suppressed_.begin(), suppressed_.end());
  auto& sampler = samplers_[static_cast<size_t>(sequence)];
  sampler.emplace(vocab(), std::move(parameters), grammar ? std::make_unique<Grammar>(*grammar) : nullptr);
  prompts_[static_cast<size_t>(sequence)] = chat && !chat->embeddings.empty() ? std::move(chat) : nullptr;
}

void LlamaEngine::end_sampling() {
  for (auto& sampler : samplers_) sampler.reset();
  for (auto& prompt : prompts_) prompt.reset();
}

void LlamaEngine::run(const StepPlan& plan, StepOutcome& outcome) {
  const ComputePass pass(aborted_);
  const LogCapture log;
  if (aborted_) throw CodedError("ERR_ABORTED", "the engine is stopping");
  apply(plan.operations);
  outcome.threads = threads_.count();
  const int64_t started = llama_time_us();
  if (!plan.rows.empty()) decode(plan);
  const int64_t decoded = llama_time_us();
  sample(plan, outcome);
  trim_rejected_drafts(plan, outcome);
  outcome.decode_micros = decoded - started;
  const CpuKernels::Times times = kernels_.take_times();
  outcome.product_micros = times.product_micros;
  outcome.attention_micros = times.attention_micros;
  outcome.sample_micros = llama_time_us() - decoded;
}

// Operations that save or restore parts of one sequence are carried out together.
void LlamaEngine::apply(std::span<const StepOperation> operations) {
  for (size_t begin = 0, end; begin < operations.size(); begin = end) {
    const StepOperation& first = operations[begin];
    const auto continues = [&first](const StepOperation& next) {
      const bool is_part = first.kind == StepOperation::kSave || (first.kind == StepOperation::kRestore && next.c > 0);
      return is_part && next.kind == first.kind && next.a == first.a;
    };
    for (end = begin + 1; end < operations.size() && continues(operations[end]);) ++end;
    const auto parts = operations.subspan(begin, end - begin);
    if (first.kind == StepOperation::kSave) sequences_->save(parts);
    else if (first.kind == StepOperation::kRestore) sequences_->restore(parts);
    else apply(first);
  }
}

void LlamaEngine::apply(const StepOperation& operation) {
  switch (operation.kind) {
    case StepOperation::kTrim: return sequences_->trim(operation.a, operation.b);
    case StepOperation::kCopy: return sequences_->copy(operation.a, operation.b, operation.c);
    case StepOperation::kMove: return move(operation.a, operation.b);
    case StepOperation::kDrop: return sequences_->drop(operation.b);
    case StepOperation::kSave:
    case StepOperation::kRestore: return;  // See above.
  }
}

void LlamaEngine::move(int32_t sequence, int32_t to) {
  if (sequence == to) return;
  sequences_->move(sequence, to);
  samplers_[static_cast<size_t>(to)] = std::exchange(samplers_[static_cast<size_t>(sequence)], {});
  prompts_[static_cast<size_t>(to)] = std::exchange(prompts_[static_cast<size_t>(sequence)], {});
}

// Images first: the logits that the rows of text draw from are those of the last pass.
void LlamaEngine::decode(const StepPlan& plan) {
  decode_images(plan);
  llama_batch& batch = batch_.get();
  batch.n_tokens = 0;
  for (const StepRow& row : plan.rows) {
    if (row.is_image) continue;
    for (size_t index = 0; index < row.token_count; ++index) {
      const int32_t slot = batch.n_tokens++;
      batch.token[slot] = plan.tokens[row.first_token + index];
      batch.pos[slot] = row.position + static_cast<int32_t>(index);
      batch.n_seq_id[slot] = 1;
      batch.seq_id[slot][0] = row.sequence;
      batch.logits[slot] = index + row.draw_count >= row.token_count;
    }
  }
  if (batch.n_tokens > 0) compute(batch);
}

void LlamaEngine::decode_images(const StepPlan& plan) {
  if (!images_) return;
  llama_batch& batch = image_batch_->get();
  const size_t width = static_cast<size_t>(images_->width());
  batch.n_tokens = 0;
  for (const StepRow& row : plan.rows) {
    if (!row.is_image) continue;
    const PreparedChat* prompt = prompts_[static_cast<size_t>(row.sequence)].get();
    for (size_t index = 0; index < row.token_count; ++index) {
      const size_t position = static_cast<size_t>(row.position) + index;
      const bool known = prompt != nullptr && position < prompt->tokens.size() &&
                         prompt->tokens[position] == plan.tokens[row.first_token + index];
      if (!known) throw CodedError("ERR_DECODE", "the sequence has no image at this position");
      const size_t from = static_cast<size_t>(prompt->embedding_rows[position]) * width;
      const int32_t slot = batch.n_tokens++;
      std::copy_n(prompt->embeddings.data() + from, width, batch.embd + static_cast<size_t>(slot) * width);
      batch.pos[slot] = row.position + static_cast<int32_t>(index);
      batch.n_seq_id[slot] = 1;
      batch.seq_id[slot][0] = row.sequence;
      batch.logits[slot] = false;
    }
  }
  if (batch.n_tokens > 0) compute(batch);
  std::fill_n(batch.embd, static_cast<size_t>(batch.n_tokens) * width, 0.0f);
}

void LlamaEngine::compute(const llama_batch& batch) {
  int32_t failure = 0;
  try {
    const ComputeThreads::Graph graph(threads_);
    failure = llama_decode(context_.get(), batch);
    llama_synchronize(context_.get());
  } catch (const std::exception& error) {
    throw CodedError("ERR_DECODE", error.what());
  }
  if (failure == 0) return;
  if (aborted_) throw CodedError("ERR_ABORTED", "the engine is stopping");
  if (failure == 1) throw CodedError("ERR_NO_KV_SLOT", "the context is full");
  throw CodedError("ERR_DECODE", "llama_decode failed with " + std::to_string(failure));
}

void LlamaEngine::sample(const StepPlan& plan, StepOutcome& outcome) {
  std::vector<DrawingRow> rows;
  size_t end = 0, draws = 0;
  for (const StepRow& row : plan.rows) {
    if (row.is_image) continue;
    end += row.token_count;
    if (row.draw_count == 0) continue;
    auto& sampler = samplers_[static_cast<size_t>(row.sequence)];
    if (!sampler) sampler.emplace(vocab(), SamplingParameters{}, nullptr);
    const size_t first = end - row.draw_count;
    DrawingRow& drawing = rows.emplace_back();
    drawing.sampler = &*sampler;
    drawing.drafts =
        std::span(plan.tokens).subspan(row.first_token + row.token_count - row.draw_count + 1, row.draw_count - 1);
    for (size_t slot = first; slot < end; ++slot) drawing.logits.push_back(logits_of(slot));
    draws += row.draw_count;
  }

  std::vector<AnswerFailure> ended(rows.size(), AnswerFailure::kNone);
  std::vector<std::exception_ptr> failures(rows.size());
  const auto sample_row = [&](size_t row, size_t thread) {
    try {
      draw(rows[row], workspaces_[thread]);
    } catch (const CodedError& error) {
      // Only this answer fails: it draws nothing, and the others continue.
      ended[row] = answer_failure(error);
      if (ended[row] == AnswerFailure::kNone) failures[row] = std::current_exception();
      rows[row].sampled.clear();
    } catch (...) {
      failures[row] = std::current_exception();
    }
  };
  if (rows.size() > 1 && draws * static_cast<size_t>(llama_vocab_n_tokens(vocab())) >= kParallelLogits) {
    pool_.run(rows.size(), sample_row);
  } else {
    for (size_t row = 0; row < rows.size(); ++row) sample_row(row, 0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  for (size_t index = 0; index < rows.size(); ++index) {
    std::vector<SampledToken>& sampled = rows[index].sampled;
    outcome.drawn.push_back({static_cast<int32_t>(sampled.size()), ended[index]});
    std::move(sampled.begin(), sampled.end(), std::back_inserter(outcome.sampled));
  }
}

std::span<float> LlamaEngine::logits_of(size_t slot) {
  float* logits = llama_get_logits_ith(context_.get(), static_cast<int32_t>(slot));
  if (logits == nullptr) throw CodedError("ERR_DECODE", "llama.cpp computed no logits for a row");
  return {logits, static_cast<size_t>(llama_vocab_n_tokens(vocab()))};
}

// A rejected draft token is not part of the sequence.
void LlamaEngine::trim_rejected_drafts(const StepPlan& plan, const StepOutcome& outcome) {
  size_t drawing = 0;
  for (const StepRow& row : plan.rows) {
    if (row.draw_count == 0) continue;
    const int32_t drawn = outcome.drawn[drawing++].count;
    const size_t wrong = row.draw_count - static_cast<size_t>(drawn);
    // A row that drew nothing has ended; its sequence is cleared before it is reused.
    if (drawn > 0 && wrong > 0) sequences_->trim(row.sequence, row.position + static_cast<int32_t>(row.token_count - wrong));
  }
}
