#include "kernels/speed_measure.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <thread>

#include "ggml-backend.h"
#include "kernels/quantised_matmul.h"

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Calls work(thread) on all threads at once.
void on_threads(int threads, const std::function<void(int)>& work) {
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back([&work, thread] { work(thread); });
  work(0);
}

using Context = std::unique_ptr<ggml_context, decltype(&ggml_free)>;
using Buffer = std::unique_ptr<ggml_backend_buffer, decltype(&ggml_backend_buffer_free)>;

// Memory for a tensor without memory, as a model's.
Buffer allocate_as_weights(ggml_tensor* tensor) {
  Buffer buffer(ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), ggml_nbytes(tensor)),
                ggml_backend_buffer_free);
  if (buffer == nullptr) throw std::bad_alloc();
  ggml_backend_buffer_set_usage(buffer.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  ggml_backend_tensor_alloc(buffer.get(), tensor, ggml_backend_buffer_get_base(buffer.get()));
  return buffer;
}

// Sixteen rows of random weights, repeated.
void fill(ggml_tensor* weights) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(weights->ne[0] * kPanelRows));
  for (float& value : values) value = normal(random);
  auto* first = static_cast<char*>(weights->data);
  const size_t panel = ggml_quantize_chunk(weights->type, values.data(), first, 0, kPanelRows, weights->ne[0], nullptr);
  for (size_t done = panel; done < ggml_nbytes(weights); done += panel) std::memcpy(first + done, first, panel);
}

double time_product(ggml_tensor* product, int threads, bool uses_amx) {
  constexpr int kRepeats = 2;
  constexpr double kSecondsLeast = 0.2;
  QuantisedMatmul matmul(uses_amx);
  matmul.prepare(product);
  double least = std::numeric_limits<double>::infinity(), total = 0;
  for (int repeat = 0; repeat < kRepeats || total < kSecondsLeast; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    on_threads(threads, [&](int thread) { matmul.compute(product, thread, threads); });
    const double seconds = seconds_since(start);
    least = std::min(least, seconds);
    total += seconds;
  }
  return least;
}

}  // namespace

ProductTimes time_products(ggml_type type, const std::vector<int32_t>& rows, int threads, bool uses_amx) {
  constexpr int64_t kColumns = 16384, kWeightRows = 16384;
  const auto all_rows = static_cast<size_t>(std::accumulate(rows.begin(), rows.end(), int64_t{0}));
  const Context of_weights(ggml_init({1 << 16, nullptr, true}), ggml_free);
  ggml_tensor* weights = ggml_new_tensor_2d(of_weights.get(), type, kColumns, kWeightRows);
  const Buffer buffer = allocate_as_weights(weights);
  const size_t bytes = all_rows * (kColumns + kWeightRows) * sizeof(float) + (1 << 20);
  const Context context(ggml_init({bytes, nullptr, false}), ggml_free);
  fill(weights);
  ProductTimes found{kColumns * kWeightRows, static_cast<int64_t>(ggml_nbytes(weights)), {}};
  for (const int32_t count : rows) {
    ggml_tensor* activations = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, kColumns, count);
    auto* values = static_cast<float*>(activations->data);
    for (int64_t index = 0; index < ggml_nelements(activations); ++index) {
      values[index] = static_cast<float>(index % 255 - 127);
    }
    found.seconds.push_back(time_product(ggml_mul_mat(context.get(), weights, activations), threads, uses_amx));
  }
  return found;
}

double measure_memory(int threads) {
  constexpr size_t kBytes = size_t{256} << 20;
  constexpr int kReads = 12;
  std::barrier together(threads);
  double best = 0;
  on_threads(threads, [&](int thread) {
    const std::vector<char> memory(kBytes, 1);
    for (int read = 0; read < kReads; ++read) {
      together.arrive_and_wait();
      const auto start = std::chrono::steady_clock::now();
      // Searches a byte that is not there: the C library's vectorised search reads every byte once, and writes none.
      const bool is_found = std::memchr(memory.data(), 2, memory.size()) != nullptr;
      together.arrive_and_wait();
      if (thread == 0 && !is_found) best = std::max(best, static_cast<double>(kBytes) * threads / seconds_since(start));
    }
  });
  return best;
}
