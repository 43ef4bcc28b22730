#include "encoder/bert_encoder.h"

#include <algorithm>

#include "base/coded_error.h"
#include "encoder/text_attention.h"
#include "kernels/instruction_set.h"

namespace {

// The upper bound of the phases in `compute`: one for the embedding, seven for each layer, and two more for each of a
// layer's four products.
constexpr size_t kPhasesBeside = 1;
constexpr size_t kPhasesPerLayer = 15;
constexpr int64_t kQueriesAtOnce = 128;
// Rows of one unit of a matrix product: enough to amortise fetching a panel of weights.
constexpr int64_t kRowsMin = 16, kRowsMax = 128;
constexpr int64_t kUnitsPerThread = 4;  // Small units, so that a slow thread delays the others little.

constexpr int64_t ceiling(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

bool BertEncoder::is_supported() { return instruction_set() != nullptr; }

BertEncoder::BertEncoder(BertWeights weights, size_t threads)
    : weights_(std::move(weights)),
      inner_width_(weights_.layers.front().up.outputs()),
      scratch_(threads),
      phases_(kPhasesBeside + kPhasesPerLayer * weights_.layers.size()),
      team_(threads, [this](size_t thread) { compute(thread); }) {}

void BertEncoder::encode(std::span<const int32_t> tokens, std::span<const int32_t> lengths, float* hidden) {
  require_fits(tokens, lengths);
  team_.run([&] {
    tokens_ = tokens;
    hidden_ = hidden;
    make_room(static_cast<int64_t>(tokens.size()));
    plan(lengths);
    phases_.reset();
  });
}

void BertEncoder::require_fits(std::span<const int32_t> tokens, std::span<const int32_t> lengths) const {
  const auto refuse = [](const char* message) { throw CodedError("ERR_OUT_OF_RANGE", message); };
  const int64_t vocabulary = weights_.words.size() / weights_.width;
  const int64_t longest = static_cast<int64_t>(weights_.places.size()) / weights_.width - weights_.first_position;
  size_t total = 0;
  for (const int32_t length : lengths) {
    if (length < 1 || length > longest) refuse("a text has no tokens, or too many");
    total += static_cast<size_t>(length);
  }
  if (total == 0 || total != tokens.size()) refuse("lengths and tokens do not match");
  for (const int32_t token : tokens) {
    if (token < 0 || token >= vocabulary) refuse("a token is not in the vocabulary");
  }
}

void BertEncoder::make_room(int64_t tokens) {
  if (ranges_.size() >= static_cast<size_t>(tokens)) return;
  const size_t count = std::max(static_cast<size_t>(tokens), ranges_.size() * 2);
  const auto width = static_cast<size_t>(weights_.width), inner = static_cast<size_t>(inner_width_);
  projected_ = LineMemory<float>(count * 3 * width);
  attended_ = LineMemory<float>(count * width);
  inner_ = LineMemory<float>(count * inner);
  bytes_ = LineMemory<uint8_t>(count * std::max(width, inner));
  quantisation_.resize(count);
  ranges_.resize(count);  // Last: its size states that all of them have this length.
}

void BertEncoder::plan(std::span<const int32_t> lengths) {
  count_ = 0;
  text_of_.clear();
  position_of_.clear();
  attentions_.clear();
  for (const int32_t length : lengths) {
    const Text text{count_, length};
    for (int64_t head = 0; head < weights_.heads; ++head) {
      for (int64_t first = 0; first < length; first += kQueriesAtOnce) {
        attentions_.push_back({text, head, first, std::min(kQueriesAtOnce, length - first)});
      }
    }
    text_of_.insert(text_of_.end(), text.length, text);
    int64_t next = weights_.first_position;
    for (const int32_t token : tokens_.subspan(count_, length)) {
      position_of_.push_back(token == weights_.padding_token ? weights_.first_position - 1 : next++);
    }
    count_ += length;
  }
  rows_per_unit_ = std::clamp<int64_t>(ceiling(count_, units_wished()), 1, kRowsMin);
  // Allocated here, where a failed allocation fails the pass; on the team's threads it would end the process.
  const int64_t longest = std::ranges::max(lengths);
  const size_t floats = attention_floats(longest, head_width(), std::min(longest, kQueriesAtOnce));
  for (Scratch& scratch : scratch_) scratch.floats(floats);
  scratch_floats_ = floats;
}

int64_t BertEncoder::head_width() const { return weights_.width / weights_.heads; }

int64_t BertEncoder::units_wished() const { return kUnitsPerThread * static_cast<int64_t>(team_.threads()); }

void BertEncoder::compute(size_t thread) {
  Phases::Walk walk(phases_);
  embed(walk);
  for (const BertLayer& layer : weights_.layers) {
    multiply(walk, layer.inputs, hidden_, projected_.data(), Finish::kBias);
    attend_all(walk, thread);
    multiply(walk, {&layer.attended, 1}, attended_.data(), hidden_, Finish::kAdd);
    norm(walk, layer.attention_norm);
    multiply(walk, {&layer.up, 1}, hidden_, inner_.data(), Finish::kGelu);
    multiply(walk, {&layer.down, 1}, inner_.data(), hidden_, Finish::kAdd);
    norm(walk, layer.output_norm);
  }
}

template <typename Work>
void BertEncoder::each_row(Phases::Walk& walk, const Work& work) {
  walk.each(ceiling(count_, rows_per_unit_), [&](int64_t unit) {
    const int64_t end = std::min(count_, (unit + 1) * rows_per_unit_);
    for (int64_t row = unit * rows_per_unit_; row < end; ++row) work(row);
  });
}

void BertEncoder::embed(Phases::Walk& walk) {
  const int64_t width = weights_.width;
  each_row(walk, [&](int64_t row) {
    const auto& [values, bytes, scale, zero] = weights_.words;
    const int64_t word = tokens_[row] * width;
    const float* place = weights_.places.data() + position_of_[row] * width;
    float* hidden = hidden_ + row * width;
    if (bytes.size() > 0) {
      const int8_t* packed = bytes.data() + word;
      for (int64_t column = 0; column < width; ++column) {
        hidden[column] = static_cast<float>(packed[column] - zero) * scale + place[column];
      }
    } else {
      const float* numbers = values.data() + word;
      for (int64_t column = 0; column < width; ++column) hidden[column] = numbers[column] + place[column];
    }
    normalise(hidden, width, weights_.norm.scale.data(), weights_.norm.shift.data(), weights_.epsilon);
  });
}

void BertEncoder::norm(Phases::Walk& walk, const BertNorm& norm) {
  const int64_t width = weights_.width;
  each_row(walk, [&](int64_t row) {
    normalise(hidden_ + row * width, width, norm.scale.data(), norm.shift.data(), weights_.epsilon);
  });
}

void BertEncoder::attend_all(Phases::Walk& walk, size_t thread) {
  const int64_t width = weights_.width;
  float* scratch = scratch_[thread].floats(scratch_floats_);
  walk.each(static_cast<int64_t>(attentions_.size()), [&](int64_t unit) {
    const auto& [text, head, first, count] = attentions_[unit];
    const float* own = projected_.data() + text.start * 3 * width + head * head_width();
    const TextHead text_head{own, own + width, own + 2 * width, 3 * width, text.length, head_width()};
    float* results = attended_.data() + (text.start + first) * width + head * head_width();
    attend(text_head, first, count, results, width, scratch);
  });
}

// Derived from the range of all rows of the text, as if the text were computed alone.
RowQuantisation BertEncoder::quantisation_for(const Text& text) const {
  Range range;
  for (int64_t row = text.start; row < text.start + text.length; ++row) {
    range.least = std::min(range.least, ranges_[row].least);
    range.greatest = std::max(range.greatest, ranges_[row].greatest);
  }
  return ::quantisation_for(range);
}

void BertEncoder::quantise_rows(Phases::Walk& walk, const float* rows, int64_t width) {
  each_row(walk, [&](int64_t row) { ranges_[row] = range_of(rows + row * width, width); });
  int64_t known = -1;  // The start of the text that `quantisation` belongs to.
  RowQuantisation quantisation{};
  each_row(walk, [&](int64_t row) {
    const Text& text = text_of_[row];
    if (text.start != known) quantisation = quantisation_for(text);
    known = text.start;
    quantise(rows + row * width, width, quantisation, bytes_.data() + row * width);
    quantisation_[row] = quantisation;
  });
}

// The outputs of the matrices are adjacent in each row.
void BertEncoder::multiply(Phases::Walk& walk, std::span<const DenseMatrix> matrices, const float* rows, float* results,
                           Finish finish) {
  const int64_t inputs = matrices[0].inputs(), outputs = matrices[0].outputs(), panels = matrices[0].panels();
  const auto sides = static_cast<int64_t>(matrices.size());
  const bool any_bytes = std::ranges::any_of(matrices, [](const DenseMatrix& one) { return one.takes_bytes(); });
  if (any_bytes) quantise_rows(walk, rows, inputs);

  const int64_t wished = ceiling(count_ * panels * sides, units_wished());
  const int64_t share = std::clamp(ceiling(wished, kRowsMin) * kRowsMin, kRowsMin, kRowsMax);
  const int64_t shares = ceiling(count_, share);
  walk.each(sides * panels * shares, [&](int64_t unit) {
    const int64_t from = unit % shares * share, count = std::min(share, count_ - from);
    const int64_t side = unit / shares / panels, panel = unit / shares % panels;
    const Results place{results + from * sides * outputs + side * outputs, sides * outputs, finish};
    if (const DenseMatrix& matrix = matrices[side]; matrix.takes_bytes()) {
      matrix.multiply(panel, bytes_.data() + from * inputs, quantisation_.data() + from, count, place);
    } else {
      matrix.multiply(panel, rows + from * inputs, count, place);
    }
  });
}
