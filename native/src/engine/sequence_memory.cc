#include "engine/sequence_memory.h"

#include <string>
#include <utility>
#include <vector>

#include "base/coded_error.h"
#include "engine/loading.h"

SequenceMemory::SequenceMemory(llama_context* context, bool unified, bool can_trim)
    : context_(context), memory_(llama_get_memory(context)), unified_(unified), can_trim_(can_trim) {
  if (memory_ == nullptr) throw CodedError("ERR_MODEL_LOAD", "this model has no KV cache or recurrent state to generate text from");
}

SequenceMemory::~SequenceMemory() { wipe_memory(memory_); }

// Sequences of a unified cache share cells, and a sliding window has a cache of its own.
bool SequenceMemory::split_states() {
  if (!can_trim_ || unified_ || llama_model_n_swa(llama_get_model(context_)) != 0) return false;
  SecretBytes state = read(0);
  if (auto map = map_state(state.span())) format_ = std::move(map->format);
  return format_.has_value();
}

void SequenceMemory::save(std::span<const StepOperation> parts) {
  const int32_t sequence = parts.front().a;
  SecretBytes state = read(sequence);
  if (!format_) {
    const StepOperation& whole = parts.front();
    if (parts.size() > 1 || whole.c != 0 || whole.d != llama_memory_seq_pos_max(memory_, sequence) + 1) {
      throw CodedError("ERR_STATE", "this model's state can be saved only as a whole");
    }
    return states_.save(whole.b, std::move(state));
  }
  const auto map = map_state(state.span());
  if (!map || map->format != *format_) throw CodedError("ERR_STATE", "the state has an unknown format");
  for (const StepOperation& part : parts) {
    const auto from = static_cast<size_t>(part.c), to = static_cast<size_t>(part.d);
    if (to > map->rows.size()) throw CodedError("ERR_STATE", "a part to be saved is not in the sequence");
    SecretBytes bytes = states_.take(format_->part_bytes(to - from));
    copy_part(state.span(), *map, from, to, bytes.data());
    states_.save(part.b, std::move(bytes));
  }
  states_.give_back(std::move(state));
}

void SequenceMemory::restore(std::span<const StepOperation> parts) {
  const int32_t sequence = parts.front().a;
  if (!format_) {
    if (parts.size() > 1 || parts.front().c != 0) throw CodedError("ERR_STATE", "this model's state has no parts");
    write(sequence, saved(parts.front().b));
    return trim(sequence, parts.front().d);
  }
  size_t positions = 0;
  std::vector<StatePart> saved_parts;
  for (const StepOperation& part : parts) {
    if (static_cast<size_t>(part.c) != positions) throw CodedError("ERR_STATE", "the parts of a state have gaps");
    saved_parts.push_back({saved(part.b).span(), static_cast<size_t>(part.d)});
    positions += static_cast<size_t>(part.d);
  }
  SecretBytes state = states_.take(format_->state_bytes(positions));
  if (!join_parts(*format_, saved_parts, state.data())) {
    throw CodedError("ERR_STATE", "a saved part is shorter than the restored one");
  }
  write(sequence, state);
  states_.give_back(std::move(state));
}

SecretBytes& SequenceMemory::saved(int32_t state) {
  SecretBytes* found = states_.find(state);
  if (found == nullptr) throw CodedError("ERR_STATE", "no state is saved under " + std::to_string(state));
  return *found;
}

void SequenceMemory::trim(int32_t sequence, int32_t from) {
  if (llama_memory_seq_pos_max(memory_, sequence) < from) return;
  if (!llama_memory_seq_rm(memory_, sequence, from, -1)) {
    throw CodedError("ERR_STATE", "this model's state cannot be truncated");
  }
}

// In a unified cache, sequences share cells and a copy is bookkeeping. Otherwise llama_memory_seq_cp copies a whole
// stream, including empty cells, and only at the next decode, when a restore may already have changed the source; so
// read and write the used cells instead.
void SequenceMemory::copy(int32_t sequence, int32_t to, int32_t length) {
  if (sequence != to) {
    trim(to, 0);
    if (length > 0 && unified_) {
      llama_memory_seq_cp(memory_, sequence, to, 0, can_trim_ ? length : -1);
    } else if (length > 0) {
      SecretBytes state = read(sequence);
      write(to, state);
      states_.give_back(std::move(state));
    }
  }
  trim(to, length);
}

void SequenceMemory::move(int32_t sequence, int32_t to) {
  copy(sequence, to, llama_memory_seq_pos_max(memory_, sequence) + 1);
  trim(sequence, 0);
}

SecretBytes SequenceMemory::read(int32_t sequence) {
  SecretBytes state = states_.take(llama_state_seq_get_size(context_, sequence));
  if (llama_state_seq_get_data(context_, state.data(), state.size(), sequence) == 0) {
    throw CodedError("ERR_STATE", "the state of sequence " + std::to_string(sequence) + " cannot be read");
  }
  return state;
}

void SequenceMemory::write(int32_t sequence, SecretBytes& state) {
  trim(sequence, 0);
  if (llama_state_seq_set_data(context_, state.data(), state.size(), sequence) == 0) {
    throw CodedError("ERR_NO_KV_SLOT", "no room to restore sequence " + std::to_string(sequence));
  }
}
