#include "kernels/product_path.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>

#include "kernels/amx_product.h"
#include "kernels/instruction_set.h"

namespace {

using namespace avx512;

constexpr int kRows = 16;

bool has_amx() {
  return instruction_set() == &avx512::kInstructionSet && __builtin_cpu_supports("amx-tile") &&
         __builtin_cpu_supports("amx-int8");
}

// The kernel grants the registers to all threads of a process, once it has asked.
bool is_permitted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM and XFEATURE_XTILEDATA.
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// Sixteen rows of activations and a tile of weights with random bytes and factors.
template <typename Columns>
class Trial {
 public:
  Trial() {
    tile_.first = 0;
    tile_.count = kSpans;
    for (Columns& span : tile_.spans) {
      for (size_t byte = 0; byte < sizeof span.quads; ++byte) reinterpret_cast<uint8_t*>(span.quads)[byte] = next();
      const auto count = std::ssize(span.factors) * kPanelRows;
      std::generate_n(reinterpret_cast<float*>(span.factors), count, [this] { return factor(); });
    }
    for (int8_t& byte : bytes_) byte = static_cast<int8_t>(next());
    for (ActivationFactors& one : factors_) {
      one = {factor(), factor(), {-next() * next(), -next() * next()}};
      if (Columns::kHasBase) one.corrections[0] = one.corrections[1] = 0;
    }
  }

  // Multiplies `count` rows; the results are [16, 16].
  template <int count>
  const std::array<float, kRows * kPanelRows>& by_vnni() {
    add_tile<count>(tile_, tokens());
    return results_;
  }
  template <int count>
  const std::array<float, kRows * kPanelRows>& by_amx() {
    add_tile_by_amx<count>(tile_, tokens());
    return results_;
  }

  bool has_same_bits() {
    const amx::Shapes shapes(kAmxDepth<Columns>);
    const auto all = by_vnni<16>(), half = by_vnni<8>();
    return same(all, by_amx<16>()) && same(half, by_amx<8>());
  }

 private:
  static constexpr int kSpans = Tile<Columns>::kSpansMax;

  static bool same(const std::array<float, kRows * kPanelRows>& expected,
                   const std::array<float, kRows * kPanelRows>& found) {
    return std::memcmp(&expected, &found, sizeof found) == 0;
  }

  uint8_t next() {
    state_ = state_ * 1664525 + 1013904223;
    return static_cast<uint8_t>(state_ >> 24);
  }
  float factor() { return static_cast<float>(next() - 128) / 1024; }

  Tokens tokens() {
    for (int row = 0; row < kRows; ++row) rows_[row] = {nullptr, &results_[static_cast<size_t>(row) * kPanelRows]};
    return {bytes_, factors_, kSpans, rows_, 0};
  }

  uint32_t state_ = 1;
  Tile<Columns> tile_;
  alignas(64) int8_t bytes_[kRows * kSpans * kSpanColumns];
  ActivationFactors factors_[kRows * kSpans];
  MatrixProducts::Row rows_[kRows];
  std::array<float, kRows * kPanelRows> results_{};
};

template <typename Columns>
bool has_same_bits() {
  return std::make_unique<Trial<Columns>>()->has_same_bits();
}

// The least time of several turns, in seconds.
template <typename Work>
double time_of(const Work& work) {
  constexpr int kTurns = 20, kRepeats = 10;
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    for (int repeat = 0; repeat < kRepeats; ++repeat) work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

bool is_faster() {
  const auto trial = std::make_unique<Trial<Span<1, false, 255>>>();
  const amx::Shapes shapes(kAmxDepth<Span<1, false, 255>>);
  return time_of([&] { trial->by_amx<kRows>(); }) < time_of([&] { trial->by_vnni<kRows>(); });
}

}  // namespace

ProductPath try_amx() {
  if (!has_same_bits<Span<1, false, 255>>() || !has_same_bits<Span<1, true, 15>>() ||
      !has_same_bits<Span<2, false, 63>>()) {
    return {false, "AMX computes other bits than VNNI"};
  }
  if (!is_faster()) return {false, "AMX is slower than VNNI"};
  return {true, ""};
}

bool may_use_amx() { return has_amx() && is_permitted(); }

const ProductPath& product_path() {
  static const ProductPath path = [] {
    if (!has_amx()) return ProductPath{false, ""};
    return is_permitted() ? try_amx() : ProductPath{false, "the kernel refuses AMX"};
  }();
  return path;
}
