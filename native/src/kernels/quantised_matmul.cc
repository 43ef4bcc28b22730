#include "kernels/quantised_matmul.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/amx_product.h"
#include "kernels/unpacking_product.h"

namespace {

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// Adds the products of 16 or 8 rows: so many keep the tile registers of AMX busy, and fewer are faster on VNNI.
template <int count, typename Columns>
void add_block(const Tile<Columns>& tile, const Tokens& tokens, bool uses_amx) {
  uses_amx ? add_tile_by_amx<count>(tile, tokens) : add_tile<count>(tile, tokens);
}

template <typename Columns>
void add_tile_to_all(const Tile<Columns>& tile, const Tokens& tokens, int64_t count, bool uses_amx) {
  int64_t done = 0;
  for (; count - done >= 16; done += 16) add_block<16>(tile, tokens.from(done), uses_amx);
  const auto next = [&](int64_t some) { return tokens.from((done += some) - some); };
  if (count & 8) add_block<8>(tile, next(8), uses_amx);
  if (count & 4) add_tile<4>(tile, next(4));
  if (count & 2) add_tile<2>(tile, next(2));
  if (count & 1) add_tile<1>(tile, next(1));
}

// The most rows that are never computed by AMX.
constexpr int64_t kVnniRowsMax = 8;

// Multiplies a panel of weights with all rows. For AMX, the thread's tile registers must have shapes of the format.
template <typename Format>
void multiply_panel(const uint8_t* panel, const Tokens& tokens, int64_t count, bool uses_amx) {
  static_assert(!Format::Columns::kHasBase || Format::kBias == 0);
  if (count == 1) return multiply_unpacking<1, Format>(panel, tokens);
  if (count == 2) return multiply_unpacking<2, Format>(panel, tokens);
  if (count == 4) return multiply_unpacking<4, Format>(panel, tokens);
  if (count == 8) return multiply_unpacking<8, Format>(panel, tokens);
  Tile<typename Format::Columns> tile;
  for (tile.first = 0; tile.first < tokens.spans; tile.first += tile.kSpansMax) {
    tile.count = std::min(tile.kSpansMax, tokens.spans - tile.first);
    unpack_tile<Format>(panel, tile);
    add_tile_to_all(tile, tokens, count, uses_amx);
  }
}

// Like ggml's quantize_row_q8_0: the greatest magnitude of a span becomes 127; scales have half precision.
ActivationFactors quantise_span(const float* values, int8_t* bytes, int bias, int parts) {
  const __m512 low = _mm512_loadu_ps(values), high = _mm512_loadu_ps(values + 16);
  const float greatest = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
  const __m512 factor = _mm512_set1_ps(greatest != 0.0f ? 127.0f / greatest : 0.0f);
  const __m128i low_bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(low, factor)));
  const __m128i high_bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(high, factor)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), low_bytes);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes) + 1, high_bytes);
  // A non-finite value cannot be the greatest magnitude or a byte; the scale reports it.
  const bool numbers = _mm512_cmp_ps_mask(low, high, _CMP_UNORD_Q) == 0;
  const float exact = numbers ? greatest / 127.0f : std::numeric_limits<float>::quiet_NaN();
  const float scale = _cvtsh_ss(_cvtss_sh(exact, _MM_FROUND_TO_NEAREST_INT));
  const int low_sum = _mm512_reduce_add_epi32(_mm512_cvtepi8_epi32(low_bytes));
  const int high_sum = _mm512_reduce_add_epi32(_mm512_cvtepi8_epi32(high_bytes));
  const int sum = low_sum + high_sum;
  return {scale, scale * static_cast<float>(sum), {-bias * (parts == 1 ? sum : low_sum), -bias * high_sum}};
}

#pragma GCC pop_options

// A format, for code that is not compiled for each.
struct FormatEntry {
  ggml_type type;
  int bias;
  int parts;  // Scales per span.
  BlockShape shape;
  void (*multiply_panel)(const uint8_t*, const Tokens&, int64_t, bool);
};

template <typename Format>
constexpr FormatEntry entry_of() {
  return {Format::kType, Format::kBias, Format::Columns::kScales, Format::kShape, multiply_panel<Format>};
}

constexpr FormatEntry kFormats[] = {entry_of<Q4_0>(),  entry_of<Q4_1>(),  entry_of<Q5_0>(), entry_of<Q5_1>(),
                                    entry_of<Q8_0>(),  entry_of<Q4K>(),   entry_of<Q5K>(),  entry_of<Q6K>(),
                                    entry_of<Iq4Nl>(), entry_of<Iq4Xs>(), entry_of<Mxfp4>()};

const FormatEntry* format_of(const ggml_tensor* weights) {
  const auto* found = std::ranges::find(kFormats, weights->type, &FormatEntry::type);
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace

bool QuantisedMatmul::can_compute(const ggml_tensor* node) {
  return MatrixProducts::are_computed_by(node) && format_of(node->src[0]) != nullptr &&
         node->src[0]->ne[1] % kPanelRows == 0;
}

void QuantisedMatmul::prepare(const ggml_tensor* node) {
  weights_.keep(node->src[0], format_of(node->src[0])->shape);
  const auto rows = static_cast<size_t>(ggml_nrows(node));
  const size_t width = rows * static_cast<size_t>(node->src[0]->ne[0]);
  if (bytes_.size() >= width) return;
  factors_.resize(width / kSpanColumns);
  bytes_.resize(width);  // Last: its size states that both have this length.
}

void QuantisedMatmul::compute(ggml_tensor* node, int thread, int threads) {
  static thread_local MatrixProducts products;
  if (thread == 0) shares_.reset();
  products.find(node);

  const ggml_tensor* weights = node->src[0];
  const FormatEntry& format = *format_of(weights);
  InterleavedTensor* kept = weights_.find(weights);
  const int64_t spans = weights->ne[0] / kSpanColumns;
  const auto rows = static_cast<int64_t>(products.rows().size());
  for (int64_t row = thread; row < rows; row += threads) {
    for (int64_t slot = row * spans; slot < (row + 1) * spans; ++slot) {
      const float* values = products.rows()[static_cast<size_t>(row)].activations + (slot - row * spans) * kSpanColumns;
      factors_[static_cast<size_t>(slot)] =
          quantise_span(values, &bytes_[static_cast<size_t>(slot * kSpanColumns)], format.bias, format.parts);
    }
  }
  barrier_.wait(threads);

  std::optional<amx::Shapes> shapes;
  const auto needs_amx = [](const MatrixProducts::Group& group) { return group.count > kVnniRowsMax; };
  if (uses_amx_ && std::ranges::any_of(products.groups(), needs_amx)) {
    shapes.emplace(static_cast<int>(kSpanColumns) / format.parts);
  }
  const Tokens all{bytes_.data(), factors_.data(), spans, products.rows().data(), 0};
  shares_.take(products, weights->ne[1] / kPanelRows, threads, [&](const MatrixProducts::Group& group, int64_t index) {
    const int64_t first_row = index * kPanelRows;
    Tokens tokens = all.from(group.first);
    tokens.first_result = first_row;
    const uint8_t* panel_rows = group.weights + static_cast<size_t>(first_row) * weights->nb[1];
    const uint8_t* panel =
        kept != nullptr ? kept->panel(panel_rows) : copy_panel(panel_rows, weights->nb[1], format.shape);
    format.multiply_panel(panel, tokens, group.count, shapes.has_value());
  });
}
