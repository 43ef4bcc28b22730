#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/line_memory.h"
#include "base/scratch.h"
#include "encoder/activation_rows.h"
#include "encoder/dense_matrix.h"
#include "kernels/phases.h"
#include "kernels/thread_team.h"

struct BertNorm {
  LineMemory<float> scale;
  LineMemory<float> shift;
};

struct BertLayer {
  std::array<DenseMatrix, 3> inputs;  // The attention's queries, keys and values.
  DenseMatrix attended;
  BertNorm attention_norm;
  DenseMatrix up;
  DenseMatrix down;
  BertNorm output_norm;
};

// [vocabulary, width], in single precision or in bytes: value = scale · (byte − zero).
struct WordTable {
  LineMemory<float> values;
  LineMemory<int8_t> bytes;
  float scale = 0;
  int32_t zero = 0;

  int64_t size() const { return static_cast<int64_t>(std::max(values.size(), bytes.size())); }
};

struct BertWeights {
  int64_t width = 0;  // A multiple of sixteen, and so is the width of a head.
  int64_t heads = 0;
  int64_t first_position = 0;
  int32_t padding_token = -1;  // Takes the position before the first and is not counted.
  float epsilon = 0;
  WordTable words;
  LineMemory<float> places;  // [positions, width], with the token type's row added.
  BertNorm norm;
  std::vector<BertLayer> layers;
};

// Encoders of the BERT family on CPUs with AVX-512 VNNI: texts of any lengths in one pass, without padding. The bits of
// a text's result depend neither on the other texts nor on the number of threads.
class BertEncoder {
 public:
  static bool is_supported();

  BertEncoder(BertWeights weights, size_t threads);

  // tokens: the texts one after another; lengths: tokens of each text. Writes the last hidden state, [tokens, width].
  // Not reentrant. Throws ERR_OUT_OF_RANGE.
  void encode(std::span<const int32_t> tokens, std::span<const int32_t> lengths, float* hidden);

  int64_t width() const { return weights_.width; }

 private:
  struct Text {
    int64_t start;
    int64_t length;
  };
  // Some queries of one head of one text.
  struct Attention {
    Text text;
    int64_t head;
    int64_t first;
    int64_t count;
  };

  void require_fits(std::span<const int32_t> tokens, std::span<const int32_t> lengths) const;
  void make_room(int64_t tokens);
  void plan(std::span<const int32_t> lengths);
  int64_t units_wished() const;
  int64_t head_width() const;

  // Every thread runs this, phase by phase.
  void compute(size_t thread);
  void embed(Phases::Walk& walk);
  void attend_all(Phases::Walk& walk, size_t thread);
  void norm(Phases::Walk& walk, const BertNorm& norm);
  void quantise_rows(Phases::Walk& walk, const float* rows, int64_t width);
  void multiply(Phases::Walk& walk, std::span<const DenseMatrix> matrices, const float* rows, float* results,
                Finish finish);

  // Calls work(row) for every row, divided among the threads.
  template <typename Work>
  void each_row(Phases::Walk& walk, const Work& work);
  RowQuantisation quantisation_for(const Text& text) const;

  BertWeights weights_;
  int64_t inner_width_ = 0;

  // State of the current pass.
  std::span<const int32_t> tokens_;
  int64_t count_ = 0;                 // Tokens in the pass.
  std::vector<Text> text_of_;         // By token.
  std::vector<int64_t> position_of_;  // By token.
  std::vector<Attention> attentions_;
  int64_t rows_per_unit_ = 1;
  float* hidden_ = nullptr;

  LineMemory<float> projected_;  // [tokens, 3 · width]
  LineMemory<float> attended_;   // [tokens, width]
  LineMemory<float> inner_;      // [tokens, inner width]
  LineMemory<uint8_t> bytes_;    // [tokens, the wider]
  std::vector<Range> ranges_;
  std::vector<RowQuantisation> quantisation_;
  std::vector<Scratch> scratch_;  // Buffers by thread, each with room for at least:
  size_t scratch_floats_ = 0;

  Phases phases_;
  ThreadTeam team_;  // Last, so that its threads end before the other members.
};
