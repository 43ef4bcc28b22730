// Holds native/src/kernels/decode_attention.cc and prompt_attention.cc against attention in double precision, in random
// shapes, with keys and values in F16 or Q8_0. Arguments: f16 or q8_0, decode or prompt, cases, seed. Prints one line
// of JSON.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ggml.h"
#include "kernels/decode_attention.h"
#include "kernels/prompt_attention.h"

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kUnseen = -std::numeric_limits<float>::infinity();

struct Case {
  ggml_context* context;
  ggml_tensor *queries, *keys, *values, *mask, *node;
  std::vector<int64_t> lengths;  // [sequences] Positions that the last token attends to.
  float scale;

  int64_t tokens() const { return queries->ne[1]; }
  int64_t heads() const { return queries->ne[2]; }
  int64_t sequences() const { return queries->ne[3]; }
  int64_t seen(int64_t token, int64_t sequence) const {
    return lengths[static_cast<size_t>(sequence)] - (tokens() - 1 - token);
  }
};

template <typename Element>
Element* at(const ggml_tensor* tensor, int64_t second, int64_t third, int64_t fourth) {
  return reinterpret_cast<Element*>(static_cast<char*>(tensor->data) + second * static_cast<int64_t>(tensor->nb[1]) +
                                    third * static_cast<int64_t>(tensor->nb[2]) +
                                    fourth * static_cast<int64_t>(tensor->nb[3]));
}

class Shapes {
 public:
  explicit Shapes(unsigned seed) : random_(seed) {}

  int64_t below(int64_t bound) { return std::uniform_int_distribution<int64_t>(0, bound - 1)(random_); }

  Case next(ggml_type type, bool is_decode) {
    const int64_t span = ggml_is_quantized(type) ? ggml_blck_size(type) : 16;
    const int64_t key_width = span * (1 + below(192 / span)), value_width = span * (1 + below(192 / span));
    const int64_t tokens = is_decode ? 1 + below(4) : 17 + below(40), sequences = 1 + below(3);
    const int64_t key_heads = 1 + below(3), heads = key_heads * (1 + below(7)), positions = 64 * (1 + below(6));
    Case made{ggml_init({64u << 20, nullptr, false}), nullptr, nullptr, nullptr, nullptr, nullptr, {}, 0};
    made.queries = ggml_new_tensor_4d(made.context, GGML_TYPE_F32, key_width, tokens, heads, sequences);
    made.keys = cells(made.context, type, {key_width, key_heads, positions, sequences});
    made.values = cells(made.context, type, {value_width, key_heads, positions, sequences});
    made.mask = ggml_new_tensor_4d(made.context, GGML_TYPE_F16, positions, tokens, 1, sequences);
    made.scale = 1 / std::sqrt(static_cast<float>(key_width));
    made.node =
        ggml_flash_attn_ext(made.context, made.queries, made.keys, made.values, made.mask, made.scale, 0.0f, 0.0f);
    auto* queries = static_cast<float*>(made.queries->data);
    for (int64_t index = 0; index < ggml_nelements(made.queries); ++index) queries[index] = 3 * normal_(random_);
    for (int64_t sequence = 0; sequence < sequences; ++sequence) {
      made.lengths.push_back(tokens + below(positions - tokens + 1));
      for (int64_t token = 0; token < tokens; ++token) {
        auto* mask = at<ggml_fp16_t>(made.mask, token, 0, sequence);
        const int64_t seen = made.seen(token, sequence);
        for (int64_t cell = 0; cell < positions; ++cell) mask[cell] = ggml_fp32_to_fp16(cell < seen ? 0 : kUnseen);
      }
    }
    return made;
  }

 private:
  // As llama.cpp keeps them: the heads of a position are adjacent.
  ggml_tensor* cells(ggml_context* context, ggml_type type, const std::vector<int64_t>& shape) {
    ggml_tensor* stored = ggml_new_tensor(context, type, 4, shape.data());
    std::vector<float> numbers(static_cast<size_t>(ggml_nelements(stored)));
    for (float& number : numbers) number = normal_(random_);
    ggml_quantize_chunk(type, numbers.data(), stored->data, 0, ggml_nrows(stored), shape[0], nullptr);
    return ggml_permute(context, stored, 0, 2, 1, 3);
  }

  std::mt19937 random_;
  std::normal_distribution<float> normal_;
};

std::vector<float> unpack(const ggml_tensor* cells, int64_t position, int64_t head, int64_t sequence) {
  std::vector<float> row(static_cast<size_t>(cells->ne[0]));
  ggml_get_type_traits(cells->type)->to_float(at<char>(cells, position, head, sequence), row.data(), cells->ne[0]);
  return row;
}

// Makes a row non-finite, as its first number or its first scale.
void spoil(const ggml_tensor* cells, int64_t position, int64_t head, int64_t sequence) {
  *at<ggml_fp16_t>(cells, position, head, sequence) = ggml_fp32_to_fp16(kNan);
}

std::vector<float> compute(const Case& made, bool is_decode, int threads) {
  auto* data = static_cast<float*>(made.node->data);
  std::fill_n(data, ggml_nelements(made.node), kNan);
  DecodeAttention decode;
  if (is_decode) decode.prepare(made.node);
  const auto work = [&](int thread) {
    if (is_decode) decode.compute(made.node, made.scale, thread, threads);
    else PromptAttention::compute(made.node, made.scale, thread, threads);
  };
  std::vector<std::thread> team;
  for (int thread = 1; thread < threads; ++thread) team.emplace_back(work, thread);
  work(0);
  for (std::thread& thread : team) thread.join();
  return {data, data + ggml_nelements(made.node)};
}

std::vector<double> expected_row(const Case& made, int64_t head, int64_t token, int64_t sequence) {
  const int64_t key_head = head / (made.heads() / made.keys->ne[2]), seen = made.seen(token, sequence);
  const float* query = at<float>(made.queries, token, head, sequence);
  std::vector<double> scores, row(static_cast<size_t>(made.values->ne[0]));
  for (int64_t position = 0; position < seen; ++position) {
    const std::vector<float> key = unpack(made.keys, position, key_head, sequence);
    double sum = 0;
    for (size_t column = 0; column < key.size(); ++column) sum += double{key[column]} * query[column];
    scores.push_back(sum * made.scale);
  }
  const double greatest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (int64_t position = 0; position < seen; ++position) {
    const double weight = std::exp(scores[static_cast<size_t>(position)] - greatest);
    const std::vector<float> value = unpack(made.values, position, key_head, sequence);
    for (size_t column = 0; column < value.size(); ++column) row[column] += weight * value[column];
    total += weight;
  }
  for (double& number : row) number /= total;
  return row;
}

// Of all results: the root of the mean square of the errors, over that of the results.
double relative_error(const Case& made, const std::vector<float>& found) {
  double errors = 0, squares = 0;
  const float* next = found.data();
  for (int64_t sequence = 0; sequence < made.sequences(); ++sequence) {
    for (int64_t token = 0; token < made.tokens(); ++token) {
      for (int64_t head = 0; head < made.heads(); ++head) {
        for (const double number : expected_row(made, head, token, sequence)) {
          const double error = *next++ - number;
          errors += error * error;
          squares += number * number;
        }
      }
    }
  }
  return std::sqrt(errors / squares);
}

// The first token of the first sequence must have the same bits without the other tokens and sequences.
bool same_bits_alone(const Case& made, bool is_decode, const std::vector<float>& found) {
  std::vector<std::pair<int64_t*, int64_t>> sizes;  // To restore.
  const auto shorten = [&](int64_t& size) { sizes.emplace_back(&size, std::exchange(size, 1)); };
  for (ggml_tensor* tensor : {made.queries, made.keys, made.values, made.mask, made.node}) shorten(tensor->ne[3]);
  shorten(made.queries->ne[1]);
  shorten(made.node->ne[2]);
  const std::vector<float> alone = compute(made, is_decode, 1);
  for (const auto& [size, whole] : sizes) *size = whole;
  return std::memcmp(alone.data(), found.data(), alone.size() * sizeof(float)) == 0;
}

// Cells that no token attends to may contain anything.
bool ignores_unseen(const Case& made, bool is_decode, const std::vector<float>& found) {
  for (int64_t sequence = 0; sequence < made.sequences(); ++sequence) {
    for (int64_t position = made.lengths[static_cast<size_t>(sequence)]; position < made.keys->ne[1]; ++position) {
      for (int64_t head = 0; head < made.keys->ne[2]; ++head) {
        spoil(made.keys, position, head, sequence);
        spoil(made.values, position, head, sequence);
      }
    }
  }
  const std::vector<float> again = compute(made, is_decode, 1);
  return std::memcmp(again.data(), found.data(), found.size() * sizeof(float)) == 0;
}

// The last token of the first sequence alone attends to a value that is made non-finite.
bool reports_non_finite(const Case& made, bool is_decode, const std::vector<float>& found) {
  spoil(made.values, made.lengths[0] - 1, 0, 0);
  const std::vector<float> spoilt = compute(made, is_decode, 1);
  const auto row = static_cast<size_t>(made.values->ne[0]), per_token = row * static_cast<size_t>(made.heads());
  const size_t last = per_token * static_cast<size_t>(made.tokens() - 1);
  return !std::isfinite(spoilt[last]) && std::memcmp(spoilt.data(), found.data(), last * sizeof(float)) == 0;
}

}  // namespace

int main(int, char** arguments) {
  const ggml_type type = arguments[1] == std::string("q8_0") ? GGML_TYPE_Q8_0 : GGML_TYPE_F16;
  const bool is_decode = arguments[2] == std::string("decode");
  const int cases = std::atoi(arguments[3]);
  Shapes shapes(static_cast<unsigned>(std::atoi(arguments[4])));
  double worst = 0;
  int differing = 0, disturbed = 0, unreported = 0, refused = 0;
  for (int index = 0; index < cases; ++index) {
    const Case made = shapes.next(type, is_decode);
    refused += is_decode ? !DecodeAttention::can_compute(made.node) : !PromptAttention::can_compute(made.node);
    const std::vector<float> found = compute(made, is_decode, 1);
    worst = std::max(worst, relative_error(made, found));
    const std::vector<float> shared = compute(made, is_decode, 2 + static_cast<int>(shapes.below(3)));
    differing += std::memcmp(shared.data(), found.data(), found.size() * sizeof(float)) != 0;
    differing += !same_bits_alone(made, is_decode, found);
    disturbed += !ignores_unseen(made, is_decode, found);
    unreported += !reports_non_finite(made, is_decode, found);
    ggml_free(made.context);
  }
  std::printf("{\"cases\":%d,\"refused\":%d,\"worst\":%.9f,\"differing\":%d,\"disturbed\":%d,\"unreported\":%d}\n",
              cases, refused, worst, differing, disturbed, unreported);
}
