#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/saved_states.h"
#include "engine/split_state.h"
#include "engine/step_plan.h"
#include "llama.h"

// The KV cache or recurrent states of a context's sequences, and their states saved in host memory. Belongs to one
// thread. The methods throw ERR_STATE, and ERR_NO_KV_SLOT where a sequence is restored or copied.
class SequenceMemory {
 public:
  // unified: sequences share cells. can_trim: false for recurrent models. Throws ERR_MODEL_LOAD if the model has neither
  // a KV cache nor a recurrent state. `context` outlives this object.
  SequenceMemory(llama_context* context, bool unified, bool can_trim);
  // Zeroes the saved states and the KV cache.
  ~SequenceMemory();
  SequenceMemory(const SequenceMemory&) = delete;
  SequenceMemory& operator=(const SequenceMemory&) = delete;

  // From now on, parts of states can be saved, if the state of sequence 0, which must have tokens, has a known format.
  bool split_states();
  // Of a sequence's state.
  size_t state_bytes(int32_t sequence) const { return llama_state_seq_get_size(context_, sequence); }

  // Saves, or restores, parts of one sequence. A state that is not split has one part.
  void save(std::span<const StepOperation> parts);
  void restore(std::span<const StepOperation> parts);
  void drop(int32_t state) { states_.drop(state); }
  // Forgets the positions >= `from`.
  void trim(int32_t sequence, int32_t from);
  void copy(int32_t sequence, int32_t to, int32_t length);
  void move(int32_t sequence, int32_t to);
  void clear() { llama_memory_clear(memory_, true); }

 private:
  SecretBytes& saved(int32_t state);
  SecretBytes read(int32_t sequence);
  void write(int32_t sequence, SecretBytes& state);

  llama_context* context_;
  llama_memory_t memory_;
  bool unified_;
  bool can_trim_;
  SavedStates states_;
  std::optional<StateFormat> format_;  // Unless states can be saved only as a whole.
};
