#include "kernels/prompt_attention.h"

#include "base/scratch.h"
#include "kernels/instruction_set.h"

namespace {

constexpr int64_t kWidthMax = 256;

}  // namespace

bool PromptAttention::can_compute(const ggml_tensor* node) {
  return is_plain_attention(node) && node->src[0]->ne[2] / node->src[1]->ne[2] <= PromptTile::kQueriesMax &&
         node->src[1]->ne[0] <= kWidthMax && node->src[2]->ne[0] <= kWidthMax;
}

void PromptAttention::compute(ggml_tensor* node, float scale, int thread, int threads) {
  static thread_local Scratch scratch;
  const ggml_tensor *queries = node->src[0], *keys = node->src[1], *values = node->src[2];
  const int64_t tokens = queries->ne[1], key_heads = keys->ne[2], heads = queries->ne[2] / key_heads;
  const int64_t tokens_at_once = PromptTile::kQueriesMax / heads;
  const int64_t tiles = (tokens + tokens_at_once - 1) / tokens_at_once;
  for (int64_t piece = thread; piece < queries->ne[3] * key_heads * tiles; piece += threads) {
    const int64_t key_head = piece % key_heads, rest = piece / key_heads;
    const int64_t first_token = rest % tiles * tokens_at_once;
    const PromptTile tile{.sequence = rest / tiles,
                          .key_head = key_head,
                          .first_token = first_token,
                          .tokens = std::min(tokens_at_once, tokens - first_token),
                          .heads = heads,
                          .key_width = keys->ne[0],
                          .value_width = values->ne[0]};
    const PromptDesk desk(scratch.floats(PromptDesk::floats_for(tile)), tile);
    instruction_set()->attention.attend_to_prompt(node, tile, scale, desk);
  }
}
