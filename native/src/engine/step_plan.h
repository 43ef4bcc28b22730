#pragma once

#include <cstdint>
#include <span>
#include <vector>

// One batch, as it crosses from JavaScript in one Int32Array:
//   operation count, row count,
//   per operation: kind, a, b, c, d   (see StepOperation)
//   per row: sequence, adapter, position, token count, draw count, tokens…
struct StepOperation {
  enum Kind : int32_t {
    kTrim = 0,     // a: sequence, b: from
    kCopy = 1,     // a: sequence, b: to, c: length
    kSave = 2,     // a: sequence, b: state, c: from, d: to
    kRestore = 3,  // a: sequence, b: state, c: from, d: length; continues the operation before it unless from is 0
    kDrop = 4,     // b: state
    kMove = 5,     // a: sequence, b: to
  };
  Kind kind;
  int32_t a, b, c, d;
};

struct StepRow {
  int32_t sequence;
  int32_t adapter;  // From 1; 0: none.
  int32_t position;
  // How many tokens may be drawn, counted from the row's last token backwards: 0 draws nothing, 1 draws after the last
  // token, more also draw after the tokens before it. All but the first of those tokens are draft tokens; drawing ends
  // where a draft token differs from the token drawn.
  size_t draw_count;
  size_t first_token;  // Index into StepPlan::tokens.
  size_t token_count;
  bool is_image = false;  // All tokens of a row stand for embeddings, or none does.
};

struct StepLimits {
  int32_t sequences;
  int32_t adapters;
  int32_t context_per_sequence;
  int32_t batch_tokens;
  int32_t draws;  // Per step, over all rows.
  int32_t vocabulary;
  bool images;  // Whether a row may consist of ids below 0, which stand for the embeddings of its sequence's images.
};

struct StepPlan {
  std::vector<StepOperation> operations;
  std::vector<StepRow> rows;
  std::vector<int32_t> tokens;

  // Replaces the contents of the plan and reuses its memory. A parsed plan cannot trigger an assertion in llama.cpp.
  // Throws ERR_OUT_OF_RANGE.
  void parse(std::span<const int32_t> packed, const StepLimits& limits);
};
