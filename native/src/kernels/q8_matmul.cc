#include "kernels/q8_matmul.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/scratch.h"
#include "kernels/avx512.h"

namespace {

constexpr int64_t kBlockWidth = 32;
constexpr int64_t kBlockBytes = 2 + kBlockWidth;
constexpr int64_t kPanelRows = 16;
constexpr int64_t kQuads = kBlockWidth / 4;
constexpr int64_t kTokensAtOnce = 16;  // Sums that fit into registers next to a block of weights.
constexpr int64_t kSharesPerThread = 8;

// The activations of some tokens: bytes, and for each block a scale and the correction for the 128 added to every
// weight.
struct Tokens {
  const int8_t* bytes;
  const float* scales;
  const int32_t* corrections;
  int64_t blocks;
  float* results;
  int64_t results_stride;

  Tokens from(int64_t token) const {
    return {bytes + token * blocks * kBlockWidth, scales + token * blocks, corrections + token * blocks, blocks,
            results + token * results_stride,     results_stride};
  }
};

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// A block of sixteen rows. Register q holds columns 4q to 4q+3 of each row; 128 is added to every weight, because the
// instruction takes one unsigned factor.
struct Block {
  __m512i quads[kQuads];
  __m512 scales;
};

[[gnu::always_inline]] inline __m512i two_rows(const uint8_t* lower, const uint8_t* upper) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lower + 2));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(upper + 2));
  return _mm512_xor_si512(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1), _mm512_set1_epi8(-128));
}

[[gnu::always_inline]] inline Block interleave(const uint8_t* first, size_t stride) {
  const auto row = [&](int index) { return first + static_cast<size_t>(index) * stride; };
  __m512i rows[8], pairs[8], quarters[8];
  for (int i = 0; i < 4; ++i) {
    rows[i] = two_rows(row(i), row(i + 4));
    rows[i + 4] = two_rows(row(i + 8), row(i + 12));
  }
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    quarters[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    quarters[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    quarters[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    quarters[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  Block block;
  for (int i = 0; i < 4; ++i) {
    block.quads[i] = _mm512_shuffle_i32x4(quarters[i], quarters[i + 4], 0x88);
    block.quads[i + 4] = _mm512_shuffle_i32x4(quarters[i], quarters[i + 4], 0xDD);
  }
  const auto scale = [&](int index) {
    int16_t half;
    std::memcpy(&half, row(index), sizeof half);
    return half;
  };
  block.scales = _mm512_cvtph_ps(_mm256_setr_epi16(scale(0), scale(1), scale(2), scale(3), scale(4), scale(5), scale(6),
                                                   scale(7), scale(8), scale(9), scale(10), scale(11), scale(12),
                                                   scale(13), scale(14), scale(15)));
  return block;
}

constexpr size_t kBlockFloats = sizeof(Block) / sizeof(float);

// The source of a panel's blocks: the weights as stored in the file, or an interleaved copy.
struct FromWeights {
  const uint8_t* first;
  size_t stride;
  [[gnu::always_inline]] Block at(int64_t block) const {
    // Prefetches the same number of bytes of the next panel, which follows this one.
    const uint8_t* later = first + kPanelRows * stride + block * kPanelRows * kBlockBytes;
    for (int64_t byte = 0; byte < kPanelRows * kBlockBytes; byte += 64) _mm_prefetch(later + byte, _MM_HINT_T1);
    return interleave(first + block * kBlockBytes, stride);
  }
};
struct FromPanel {
  const Block* blocks;
  [[gnu::always_inline]] Block at(int64_t block) const { return blocks[block]; }
};

template <int count, typename Source>
[[gnu::always_inline]] inline void multiply_some(const Source& source, const Tokens& tokens) {
  __m512 sums[count];
  for (int token = 0; token < count; ++token) sums[token] = _mm512_setzero_ps();
  for (int64_t index = 0; index < tokens.blocks; ++index) {
    const Block block = source.at(index);
#pragma GCC unroll 16
    for (int token = 0; token < count; ++token) {
      const int64_t slot = token * tokens.blocks + index;
      const auto* quads = reinterpret_cast<const int32_t*>(tokens.bytes + slot * kBlockWidth);
      __m512i sum = _mm512_set1_epi32(tokens.corrections[slot]);
#pragma GCC unroll 8
      for (int quad = 0; quad < kQuads; ++quad) {
        sum = _mm512_dpbusd_epi32(sum, block.quads[quad], _mm512_set1_epi32(quads[quad]));
      }
      const __m512 scale = _mm512_mul_ps(block.scales, _mm512_set1_ps(tokens.scales[slot]));
      sums[token] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), scale, sums[token]);
    }
  }
  for (int token = 0; token < count; ++token) {
    _mm512_storeu_ps(tokens.results + token * tokens.results_stride, sums[token]);
  }
}

template <typename Source>
void multiply(const Source& source, const Tokens& tokens, int64_t count) {
  int64_t done = 0;
  for (; count - done >= 16; done += 16) multiply_some<16>(source, tokens.from(done));
  const auto next = [&](int64_t some) { return tokens.from((done += some) - some); };
  if (count & 8) multiply_some<8>(source, next(8));
  if (count & 4) multiply_some<4>(source, next(4));
  if (count & 2) multiply_some<2>(source, next(2));
  if (count & 1) multiply_some<1>(source, next(1));
}

// Multiplies a panel of weights with all tokens.
void multiply_panel(const FromWeights& weights, const Tokens& tokens, int64_t count, Scratch& scratch) {
  const auto rest = static_cast<uint64_t>(count % kTokensAtOnce);
  const bool one_pass = count / kTokensAtOnce + std::popcount(rest) <= 1;
  if (one_pass) return multiply(weights, tokens, count);
  auto* blocks = reinterpret_cast<Block*>(scratch.floats(static_cast<size_t>(tokens.blocks) * kBlockFloats));
  for (int64_t block = 0; block < tokens.blocks; ++block) blocks[block] = weights.at(block);
  multiply(FromPanel{blocks}, tokens, count);
}

// Like ggml's quantize_row_q8_0: the greatest magnitude of a block becomes 127; scales have half precision.
void quantise_block(const float* values, int8_t* bytes, float& half_scale, int32_t& correction) {
  const __m512 low = _mm512_loadu_ps(values), high = _mm512_loadu_ps(values + 16);
  const float greatest = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
  const __m512 factor = _mm512_set1_ps(greatest != 0.0f ? 127.0f / greatest : 0.0f);
  const __m128i low_bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(low, factor)));
  const __m128i high_bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(high, factor)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), low_bytes);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes) + 1, high_bytes);
  // A non-finite value cannot be the greatest magnitude or a byte; the scale reports it.
  const bool numbers = _mm512_cmp_ps_mask(low, high, _CMP_UNORD_Q) == 0;
  const float scale = numbers ? greatest / 127.0f : std::numeric_limits<float>::quiet_NaN();
  half_scale = _cvtsh_ss(_cvtss_sh(scale, _MM_FROUND_TO_NEAREST_INT));
  const __m512i sums = _mm512_add_epi32(_mm512_cvtepi8_epi32(low_bytes), _mm512_cvtepi8_epi32(high_bytes));
  correction = -128 * _mm512_reduce_add_epi32(sums);
}

#pragma GCC pop_options

}  // namespace

bool Q8Matmul::can_compute(const ggml_tensor* node) {
  const ggml_tensor *weights = node->src[0], *activations = node->src[1];
  return weights->type == GGML_TYPE_Q8_0 && activations->type == GGML_TYPE_F32 && node->type == GGML_TYPE_F32 &&
         weights->ne[1] % kPanelRows == 0 && ggml_is_contiguous(weights) && ggml_is_matrix(weights) &&
         ggml_is_matrix(activations) && activations->nb[0] == sizeof(float) && node->nb[0] == sizeof(float);
}

void Q8Matmul::prepare(const ggml_tensor* node) {
  const auto width = static_cast<size_t>(ggml_nelements(node->src[1]));
  if (bytes_.size() >= width) return;
  scales_.resize(width / kBlockWidth);
  corrections_.resize(width / kBlockWidth);
  bytes_.resize(width);  // Last: its size states that all of them have this length.
}

void Q8Matmul::quantise(const ggml_tensor* activations, int thread, int threads) {
  const int64_t blocks = activations->ne[0] / kBlockWidth;
  for (int64_t token = thread; token < activations->ne[1]; token += threads) {
    const auto* row = reinterpret_cast<const float*>(static_cast<const char*>(activations->data) +
                                                     static_cast<size_t>(token) * activations->nb[1]);
    for (int64_t block = 0; block < blocks; ++block) {
      const auto slot = static_cast<size_t>(token * blocks + block);
      quantise_block(row + block * kBlockWidth, &bytes_[slot * kBlockWidth], scales_[slot], corrections_[slot]);
    }
  }
}

void Q8Matmul::compute(ggml_tensor* node, int thread, int threads) {
  if (thread == 0) next_panel_ = 0;
  quantise(node->src[1], thread, threads);
  barrier_.wait(threads);

  static thread_local Scratch scratch;
  const ggml_tensor* weights = node->src[0];
  const int64_t panels = weights->ne[1] / kPanelRows;
  const int64_t share = std::max<int64_t>(1, panels / (kSharesPerThread * threads));
  for (int64_t first = next_panel_.fetch_add(share); first < panels; first = next_panel_.fetch_add(share)) {
    for (int64_t panel = first; panel < std::min(first + share, panels); ++panel) {
      const size_t first_row = static_cast<size_t>(panel * kPanelRows);
      const FromWeights rows{static_cast<const uint8_t*>(weights->data) + first_row * weights->nb[1], weights->nb[1]};
      const Tokens tokens{.bytes = bytes_.data(),
                          .scales = scales_.data(),
                          .corrections = corrections_.data(),
                          .blocks = weights->ne[0] / kBlockWidth,
                          .results = static_cast<float*>(node->data) + first_row,
                          .results_stride = static_cast<int64_t>(node->nb[1] / sizeof(float))};
      multiply_panel(rows, tokens, node->ne[1], scratch);
    }
  }
}
