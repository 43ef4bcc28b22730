#include "engine/reranker_head.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "base/coded_error.h"
#include "engine/model_facts.h"
#include "gguf.h"

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw CodedError("ERR_MODEL_LOAD", "this model cannot rank texts: " + reason);
}

bool has_tensor(const std::string& path, const char* name) {
  const std::unique_ptr<gguf_context, decltype(&gguf_free)> file(
      gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr}), gguf_free);
  return file && gguf_find_tensor(file.get(), name) >= 0;
}

}  // namespace

void require_reranker(const llama_model* model, const std::string& path) {
  static constexpr std::array<std::string_view, 4> kArchitectures{"bert", "jina-bert-v2", "modern-bert", "neo-bert"};
  const std::string architecture = read_metadata(model, "general.architecture");
  if (std::find(kArchitectures.begin(), kArchitectures.end(), architecture) == kArchitectures.end()) {
    refuse("its architecture must be bert, jina-bert-v2, modern-bert or neo-bert");
  }
  if (read_metadata(model, (architecture + ".pooling_type").c_str()) != "4") refuse("its pooling_type is not rank (4)");
  // Without a head, llama.cpp returns the first number of the vector that the head would read.
  if (!has_tensor(path, architecture == "jina-bert-v2" ? "cls.weight" : "cls.output.weight")) {
    refuse("it has no classification head");
  }
  if (llama_model_n_cls_out(model) != 1) refuse("it has several logits per pair, not one");
  // llama.cpp gives every token the type 0.
  const std::string types = read_metadata(model, "tokenizer.ggml.token_type_count");
  if (read_metadata(model, "tokenizer.ggml.model") == "bert" && !types.empty() && types != "1") {
    refuse("it distinguishes the texts of a pair by token types, which llama.cpp does not compute: use its ONNX files");
  }
}
