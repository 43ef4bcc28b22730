// Holds native/src/kernels/quantised_matmul.cc and float_matmul.cc against products in double precision, and the path
// with AMX against the one without, in random shapes. Arguments: quantised, float or amx, cases, seed. Prints one line
// of JSON.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "amx-emulator.h"
#include "ggml-backend.h"
#include "ggml.h"
#include "kernels/float_matmul.h"
#include "kernels/product_path.h"
#include "kernels/quantised_matmul.h"

namespace {

constexpr ggml_type kQuantised[] = {GGML_TYPE_Q4_0,   GGML_TYPE_Q4_1,   GGML_TYPE_Q5_0, GGML_TYPE_Q5_1,
                                    GGML_TYPE_Q8_0,   GGML_TYPE_Q4_K,   GGML_TYPE_Q5_K, GGML_TYPE_Q6_K,
                                    GGML_TYPE_IQ4_NL, GGML_TYPE_IQ4_XS, GGML_TYPE_MXFP4};
constexpr ggml_type kFloats[] = {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16};

struct Case {
  ggml_context* context;
  ggml_tensor *weights, *activations, *experts, *products;

  void free() const {
    ggml_backend_buffer_free(weights->buffer);
    ggml_free(context);
  }
};

// Moves weights to memory of a model, of which products keep copies.
void make_part_of_model(ggml_tensor* weights) {
  const void* data = std::exchange(weights->data, nullptr);
  ggml_backend_buffer_t buffer = ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), ggml_nbytes(weights));
  ggml_backend_buffer_set_usage(buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  ggml_backend_tensor_alloc(buffer, weights, ggml_backend_buffer_get_base(buffer));
  std::memcpy(weights->data, data, ggml_nbytes(weights));
}

class Shapes {
 public:
  // Three of four shapes have at most `usual_tokens`.
  Shapes(unsigned seed, int64_t usual_tokens) : random_(seed), usual_tokens_(usual_tokens) {}

  int64_t below(int64_t bound) { return std::uniform_int_distribution<int64_t>(0, bound - 1)(random_); }
  float normal() { return normal_(random_); }

  Case next(ggml_type type) {
    const int64_t columns = ggml_blck_size(type) * (1 + below(768 / ggml_blck_size(type)));
    const int64_t rows = ggml_is_quantized(type) ? 16 * (1 + below(4)) : 1 + below(50),
                  tokens = 1 + below(below(4) == 0 ? 70 : usual_tokens_);
    const bool with_experts = below(3) == 0;
    const int64_t matrices = with_experts ? 1 + below(6) : 1, chosen = with_experts ? 1 + below(matrices) : 1;
    Case made{ggml_init({64u << 20, nullptr, false}), nullptr, nullptr, nullptr, nullptr};
    made.weights = ggml_new_tensor_3d(made.context, type, columns, rows, matrices);
    std::vector<float> values(static_cast<size_t>(ggml_nelements(made.weights)));
    const float size = std::exp(3 * normal());
    for (float& value : values) value = size * normal();
    ggml_quantize_chunk(type, values.data(), made.weights->data, 0, rows * matrices, columns, nullptr);
    if (below(2) == 0) make_part_of_model(made.weights);
    if (with_experts) {
      made.activations = ggml_new_tensor_3d(made.context, GGML_TYPE_F32, columns, below(2) == 0 ? 1 : chosen, tokens);
      made.experts = ggml_new_tensor_2d(made.context, GGML_TYPE_I32, chosen, tokens);
      for (int64_t token = 0; token < tokens; ++token) choose(made.experts, token, matrices);
    } else {
      const int64_t sequences = tokens % 2 == 0 ? 2 : 1;
      made.activations = ggml_new_tensor_3d(made.context, GGML_TYPE_F32, columns, tokens / sequences, sequences);
    }
    made.products = made.experts == nullptr
                        ? ggml_mul_mat(made.context, made.weights, made.activations)
                        : ggml_mul_mat_id(made.context, made.weights, made.activations, made.experts);
    auto* activations = static_cast<float*>(made.activations->data);
    for (int64_t index = 0; index < ggml_nelements(made.activations); ++index) activations[index] = normal();
    return made;
  }

 private:
  void choose(ggml_tensor* experts, int64_t token, int64_t matrices) {
    std::vector<int32_t> all(static_cast<size_t>(matrices));
    for (size_t index = 0; index < all.size(); ++index) all[index] = static_cast<int32_t>(index);
    std::shuffle(all.begin(), all.end(), random_);
    std::copy_n(all.begin(), experts->ne[0], static_cast<int32_t*>(experts->data) + token * experts->ne[0]);
  }

  std::mt19937 random_;
  int64_t usual_tokens_;
  std::normal_distribution<float> normal_;
};

template <typename Matmul>
void share(Matmul& matmul, ggml_tensor* node, int threads) {
  std::vector<std::thread> team;
  for (int thread = 1; thread < threads; ++thread) {
    team.emplace_back([&, thread] { matmul.compute(node, thread, threads); });
  }
  matmul.compute(node, 0, threads);
  for (std::thread& thread : team) thread.join();
}

// Whether the copy of some weights, if one is kept, gives back their rows.
bool has_equal_rows(const InterleavedWeights& copies, const ggml_tensor* weights) {
  const InterleavedTensor* kept = copies.find(weights);
  if (kept == nullptr) return true;
  std::vector<uint8_t> row(weights->nb[1]);
  for (int64_t index = 0; index < ggml_nrows(weights); ++index) {
    kept->copy_row(index, row.data());
    const auto* original = static_cast<const uint8_t*>(weights->data) + static_cast<size_t>(index) * row.size();
    if (std::memcmp(row.data(), original, row.size()) != 0) return false;
  }
  return true;
}

bool can_compute(const ggml_tensor* node) {
  return ggml_is_quantized(node->src[0]->type) ? QuantisedMatmul::can_compute(node) : FloatMatmul::can_compute(node);
}

std::vector<float> compute(ggml_tensor* node, int threads, bool uses_amx = false) {
  auto* data = static_cast<float*>(node->data);
  std::fill_n(data, ggml_nelements(node), std::numeric_limits<float>::quiet_NaN());
  if (ggml_is_quantized(node->src[0]->type)) {
    QuantisedMatmul matmul(uses_amx);
    matmul.prepare(node);
    share(matmul, node, threads);
    if (uses_amx) return {data, data + ggml_nelements(node)};  // Its instructions are counted.
    const std::vector<float> first(data, data + ggml_nelements(node));
    share(matmul, node, threads);  // With the copies that the first one kept.
    if (std::memcmp(first.data(), data, ggml_nbytes(node)) != 0) throw std::logic_error("other bits the second time");
    if (!has_equal_rows(matmul.weights(), node->src[0])) throw std::logic_error("a copied row has other bytes");
  } else {
    FloatMatmul matmul;
    share(matmul, node, threads);
  }
  return {data, data + ggml_nelements(node)};
}

// Of all products: the root of the mean square of the errors, over that of the products.
double relative_error(const Case& made, const std::vector<float>& found) {
  const int64_t columns = made.weights->ne[0], rows = made.weights->ne[1];
  std::vector<float> weights(static_cast<size_t>(ggml_nelements(made.weights)));
  if (made.weights->type == GGML_TYPE_F32) {
    std::memcpy(weights.data(), made.weights->data, ggml_nbytes(made.weights));
  } else {
    ggml_get_type_traits(made.weights->type)
        ->to_float(made.weights->data, weights.data(), ggml_nelements(made.weights));
  }
  const auto* activations = static_cast<const float*>(made.activations->data);
  const int64_t results = ggml_nrows(made.products), chosen = made.experts == nullptr ? 1 : made.experts->ne[0];
  const int64_t per_token = made.experts == nullptr ? 1 : made.activations->ne[1];
  double errors = 0, squares = 0;
  for (int64_t result = 0; result < results; ++result) {
    const int64_t token = result / chosen, choice = result % chosen;
    const int64_t matrix = made.experts == nullptr ? 0 : static_cast<const int32_t*>(made.experts->data)[result];
    const float* row = activations + (token * per_token + choice % per_token) * columns;
    for (int64_t index = 0; index < rows; ++index) {
      double sum = 0;
      const float* factors = &weights[static_cast<size_t>((matrix * rows + index) * columns)];
      for (int64_t column = 0; column < columns; ++column) sum += double{factors[column]} * row[column];
      const double error = found[static_cast<size_t>(result * rows + index)] - sum;
      errors += error * error;
      squares += sum * sum;
    }
  }
  return std::sqrt(errors / squares);
}

// The first token's products must have the same bits without the other tokens, and with weights that are no part of a
// model.
bool same_bits_alone(const Case& made, const std::vector<float>& found) {
  const bool has_experts = made.experts != nullptr;
  std::vector<std::pair<int64_t*, int64_t>> sizes;  // To restore.
  const auto shorten = [&](int64_t& size) { sizes.emplace_back(&size, std::exchange(size, 1)); };
  for (ggml_tensor* tensor : {made.activations, made.products}) {
    if (!has_experts) shorten(tensor->ne[1]);
    shorten(tensor->ne[2]);
  }
  if (has_experts) shorten(made.experts->ne[1]);
  // Without copies that are kept.
  ggml_backend_buffer_t buffer = std::exchange(made.weights->buffer, nullptr);
  const std::vector<float> alone = compute(made.products, 1);
  made.weights->buffer = buffer;
  for (const auto& [size, whole] : sizes) *size = whole;
  return std::memcmp(alone.data(), found.data(), alone.size() * sizeof(float)) == 0;
}

bool reports_non_finite(const Case& made, float value) {
  auto* activations = static_cast<float*>(made.activations->data);
  activations[0] = value;  // The first token's; all of its products with it depend on this one.
  const std::vector<float> found = compute(made.products, 1);
  return std::all_of(found.begin(), found.begin() + made.weights->ne[1], [](float one) { return !std::isfinite(one); });
}

// Numbers of rows of activations that are multiplied with the same matrix.
std::vector<int64_t> groups_of(const Case& made) {
  if (made.experts == nullptr) return {ggml_nrows(made.activations)};
  std::vector<int64_t> counts(static_cast<size_t>(made.weights->ne[2]));
  const auto* experts = static_cast<const int32_t*>(made.experts->data);
  for (int64_t index = 0; index < ggml_nelements(made.experts); ++index) ++counts[static_cast<size_t>(experts[index])];
  return counts;
}

// What the products of a case require of AMX: multiplications of bytes, and registers of at most sixteen rows, filled
// as far as the scales allow, that compute them.
struct Required {
  int64_t multiplied = 0, products = 0;

  void add(const Case& made) {
    const int64_t columns = made.weights->ne[0], rows = made.weights->ne[1];
    const int64_t depth = made.weights->type == GGML_TYPE_Q6_K ? 16 : 32;
    for (const int64_t count : groups_of(made)) {
      const int64_t taken = count > 8 ? count / 8 * 8 : 0;  // The rest is faster without.
      multiplied += taken * columns * rows;
      products += (taken + 15) / 16 * (columns / depth) * (rows / 16);
    }
  }
};

void compare_paths(int cases, unsigned seed) {
  install_amx_emulator();
  const ProductPath trial = try_amx();
  const AmxCounts before = amx_counts();
  Shapes shapes(seed, 48);
  int differing = 0;
  Required required;
  for (int index = 0; index < cases; ++index) {
    const Case made = shapes.next(kQuantised[static_cast<size_t>(index) % std::size(kQuantised)]);
    if (shapes.below(16) == 0) {
      static_cast<float*>(made.activations->data)[shapes.below(ggml_nelements(made.activations))] =
          std::numeric_limits<float>::infinity();
    }
    required.add(made);
    const std::vector<float> expected = compute(made.products, 1);
    const std::vector<float> found = compute(made.products, 1 + static_cast<int>(shapes.below(3)), true);
    differing += std::memcmp(expected.data(), found.data(), expected.size() * sizeof(float)) != 0;
    made.free();
  }
  const AmxCounts after = amx_counts();
  std::printf("{\"cases\":%d,\"differing\":%d,\"trial\":\"%s\"", cases, differing, trial.why_not.c_str());
  const auto print = [](const char* name, int64_t number) { std::printf(",\"%s\":%ld", name, number); };
  const auto print_used = [&](const char* name, uint64_t AmxCounts::*member) {
    print(name, static_cast<int64_t>(after.*member - before.*member));
  };
  print("multipliedRequired", required.multiplied);
  print("productsRequired", required.products);
  print_used("multiplied", &AmxCounts::multiplied);
  print_used("products", &AmxCounts::products);
  print_used("zeroed", &AmxCounts::zeroed);
  print_used("loads", &AmxCounts::loads);
  print_used("stores", &AmxCounts::stores);
  print_used("configurations", &AmxCounts::configurations);
  print_used("loadedBytes", &AmxCounts::loaded_bytes);
  print_used("storedBytes", &AmxCounts::stored_bytes);
  std::printf("}\n");
}

void compare_with_double_precision(bool quantised, int cases, unsigned seed) {
  const std::span<const ggml_type> types = quantised ? std::span<const ggml_type>(kQuantised) : kFloats;
  Shapes shapes(seed, 9);
  double worst = 0;
  int differing = 0, unreported = 0, refused = 0;
  for (int index = 0; index < cases; ++index) {
    const Case made = shapes.next(types[static_cast<size_t>(index) % types.size()]);
    refused += !can_compute(made.products);
    const std::vector<float> found = compute(made.products, 1);
    worst = std::max(worst, relative_error(made, found));
    const std::vector<float> shared = compute(made.products, 2 + static_cast<int>(shapes.below(3)));
    differing += std::memcmp(shared.data(), found.data(), found.size() * sizeof(float)) != 0;
    differing += !same_bits_alone(made, found);
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      unreported += !reports_non_finite(made, value);
    }
    made.free();
  }
  std::printf("{\"cases\":%d,\"refused\":%d,\"worst\":%.9f,\"differing\":%d,\"unreported\":%d}\n", cases, refused,
              worst, differing, unreported);
}

}  // namespace

int main(int, char** arguments) {
  const std::string mode = arguments[1];
  const int cases = std::atoi(arguments[2]);
  const auto seed = static_cast<unsigned>(std::atoi(arguments[3]));
  if (mode == "amx") {
    compare_paths(cases, seed);
  } else {
    compare_with_double_precision(mode == "quantised", cases, seed);
  }
}
