#include "engine/llama_engine.h"

#include <malloc.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "engine/model_facts.h"
#include "platform/exit_gate.h"

namespace {

constexpr int32_t kWarmUpTokens = 8;
// ggml's CPU attention processes this many tokens of a prompt together, and the tokens of shorter prompts one by one.
constexpr int32_t kGgmlTileTokens = 64;

bool is_recurrent(const llama_model* model) { return llama_model_is_recurrent(model) || llama_model_is_hybrid(model); }

bool is_aborted(void* aborted) { return *static_cast<std::atomic<bool>*>(aborted); }

}  // namespace

LlamaEngine::LlamaEngine(const ModelOptions& options, LoadProgress& progress)
    : threads_(options.threads, options.poll),
      batch_(options.batch_tokens),
      sampler_(options.sequences, options.threads),
      prompts_(static_cast<size_t>(options.sequences)) {
  LlamaParameters parameters(options);
  model_ = load_model(options, parameters, progress);
  adapters_.emplace(model_.get(), options.adapter_paths);
  chat_format_ = std::make_unique<ChatFormat>(model_.get());
  parameters.context.abort_callback = is_aborted;
  parameters.context.abort_callback_data = &aborted_;
  if (CpuKernels::serve(options)) kernels_.enter(parameters.context);
  context_ = make_context(model_.get(), parameters);
  sequences_.emplace(context_.get(), options.unified_kv, !is_recurrent(model_.get()));
  threads_.attach(context_.get(), options.use_gpu);

  sampler_.use(vocab());
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
  return {facts_.sequences,
          adapters_->count(),
          facts_.context_per_sequence,
          facts_.batch_tokens,
          draws,
          llama_vocab_n_tokens(vocab()),
          images_ != nullptr};
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
      .supports_infill = chat_format_->supports_infill(),
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
  plan.rows.push_back({0, 0, 0, 0, 0, plan.tokens.size()});
  decode(plan, 0);
  const auto once = static_cast<double>(sequences_->state_bytes(0));
  plan.rows.front().position = count;
  plan.rows.front().draw_count = 1;  // Computes the last product, too.
  decode(plan, 0);
  const auto twice = static_cast<double>(sequences_->state_bytes(0));
  facts_.state_bytes_per_token = std::max(0.0, (twice - once) / count);
  facts_.state_bytes_fixed = std::max(0.0, once - facts_.state_bytes_per_token * count);
  facts_.can_split = sequences_->split_states();
  sequences_->clear();
}

void LlamaEngine::begin_sampling(int32_t sequence, SamplingParameters parameters,
                                 std::shared_ptr<const PreparedChat> chat) {
  const Grammar* grammar = chat ? chat->grammar.get() : nullptr;
  sampler_.begin(sequence, std::move(parameters), grammar ? std::make_unique<Grammar>(*grammar) : nullptr);
  prompts_[static_cast<size_t>(sequence)] = chat && !chat->embeddings.empty() ? std::move(chat) : nullptr;
}

void LlamaEngine::end_sampling() {
  sampler_.end();
  for (auto& prompt : prompts_) prompt.reset();
}

void LlamaEngine::run(const StepPlan& plan, StepOutcome& outcome) {
  const ComputePass pass(aborted_);
  const LogCapture log;
  if (aborted_) throw CodedError("ERR_ABORTED", "the engine is stopping");
  apply(plan.operations);
  outcome.threads = threads_.count();
  const int64_t started = llama_time_us();
  StepDraws draws(plan.rows.size());
  for (const int32_t adapter : adapters_of(plan)) {
    const int64_t pass_started = llama_time_us();
    adapters_->apply(context_.get(), adapter);
    decode(plan, adapter);
    outcome.decode_micros += llama_time_us() - pass_started;
    sampler_.sample(plan, adapter, [this](size_t slot) { return logits_of(slot); }, draws);
  }
  trim_rejected_drafts(plan, draws);
  draws.move_to(plan, outcome.drawn, outcome.sampled);
  const CpuKernels::Times times = kernels_.take_times();
  outcome.product_micros = times.product_micros;
  outcome.attention_micros = times.attention_micros;
  outcome.sample_micros = llama_time_us() - started - outcome.decode_micros;
}

// The adapters of a step's rows, each once. Each takes a forward pass of its own, since llama.cpp applies the same
// adapters to all rows of a pass.
std::vector<int32_t> LlamaEngine::adapters_of(const StepPlan& plan) {
  std::vector<int32_t> adapters;
  for (const StepRow& row : plan.rows) {
    if (std::find(adapters.begin(), adapters.end(), row.adapter) == adapters.end()) adapters.push_back(row.adapter);
  }
  return adapters;
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
  sampler_.move(sequence, to);
  prompts_[static_cast<size_t>(to)] = std::exchange(prompts_[static_cast<size_t>(sequence)], {});
}

// Images first: the logits that the rows of text draw from are those of the last pass.
void LlamaEngine::decode(const StepPlan& plan, int32_t adapter) {
  decode_images(plan, adapter);
  llama_batch& batch = batch_.get();
  batch.n_tokens = 0;
  for (const StepRow& row : plan.rows) {
    if (row.is_image || row.adapter != adapter) continue;
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

void LlamaEngine::decode_images(const StepPlan& plan, int32_t adapter) {
  if (!images_) return;
  llama_batch& batch = image_batch_->get();
  const size_t width = static_cast<size_t>(images_->width());
  batch.n_tokens = 0;
  for (const StepRow& row : plan.rows) {
    if (!row.is_image || row.adapter != adapter) continue;
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

std::span<float> LlamaEngine::logits_of(size_t slot) {
  float* logits = llama_get_logits_ith(context_.get(), static_cast<int32_t>(slot));
  if (logits == nullptr) throw CodedError("ERR_DECODE", "llama.cpp computed no logits for a row");
  return {logits, static_cast<size_t>(llama_vocab_n_tokens(vocab()))};
}

// A rejected draft token is not part of the sequence.
void LlamaEngine::trim_rejected_drafts(const StepPlan& plan, const StepDraws& draws) {
  for (size_t index = 0; index < plan.rows.size(); ++index) {
    const StepRow& row = plan.rows[index];
    const int32_t drawn = draws.count(index);
    const size_t wrong = row.draw_count - static_cast<size_t>(drawn);
    // A row that drew nothing has ended, if it was to draw; its sequence is cleared before it is reused.
    if (drawn > 0 && wrong > 0) {
      sequences_->trim(row.sequence, row.position + static_cast<int32_t>(row.token_count - wrong));
    }
  }
}
