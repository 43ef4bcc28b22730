#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chat.h"
#include "chat/control_text.h"
#include "chat/effort_levels.h"
#include "chat/image_places.h"
#include "chat/prompt_bound.h"
#include "grammar/grammar.h"

// A rendered and tokenised chat, with what is needed to constrain and parse its answer. Immutable.
struct PreparedChat {
  std::string prompt;
  std::vector<llama_token> tokens;         // Ids below 0 stand for rows of `embeddings`.
  std::vector<float> embeddings;           // [ids below 0, width] of the images; empty without images.
  std::vector<int32_t> embedding_rows;     // Per token its row of `embeddings`, or -1; empty without images.
  // If not 0, the prompt is certain to exceed the limit: it has at least this many tokens, and no other member is set.
  size_t tokens_at_least = 0;
  std::vector<std::string> stops;
  std::vector<llama_token> shown_tokens;
  bool structured = false;
  std::unique_ptr<const Grammar> grammar;  // Null: the answer is unconstrained.
  common_chat_parser_params reading;
};

// A model's chat template.
class ChatFormat {
 public:
  explicit ChatFormat(const llama_model* model);

  bool supports_tools() const { return supports_tools_; }
  bool supports_reasoning() const { return supports_reasoning_; }
  // Whether the vocabulary has the tokens around the texts before and after a gap.
  bool supports_infill() const;

  const PromptBound& prompt_bound() const { return prompt_bound_; }

  // `request` is JSON: messages, tools, tool_choice, parallel_tool_calls, json_schema (text or null), reasoning,
  // effort (a level or null). The messages have a place for each of `images`, see image_places.h.
  // Any thread. Throws ERR_CHAT_TEMPLATE, ERR_CHAT_TOO_COMPLEX, ERR_GRAMMAR_INVALID, ERR_ABORTED, and as
  // ImageEncoder::encode.
  std::shared_ptr<const PreparedChat> prepare(const std::string& request, const ChatImages& images,
                                              const PreparationLimits& limits) const;
  // Tokenizes a prompt as it is: the template does not render it, and control tokens may be spelled in it.
  // With `after`, the answer fills the gap between two texts, in which control tokens stay text.
  // Any thread. Throws ERR_CHAT_TEMPLATE for a run of characters that cannot be tokenised, and for `after` if the
  // vocabulary has no tokens for it; ERR_ABORTED.
  std::shared_ptr<const PreparedChat> prepare_text(const std::string& text, const std::optional<std::string>& after,
                                                   bool add_special, const PreparationLimits& limits) const;

 private:
  std::shared_ptr<const PreparedChat> prepare_infill(const std::string& before, const std::string& after,
                                                     bool add_special, const PreparationLimits& limits) const;
  common_chat_params render(const common_json& request, const std::string& schema,
                            const PreparationLimits& limits) const;
  void tokenize(const std::string& rendered, const ChatImages& images, const PreparationLimits& limits,
                PreparedChat& prepared) const;
  void learn_answer_form();

  const llama_vocab* vocab_;
  std::shared_ptr<const TokenTable> tokens_;
  common_chat_templates_ptr templates_;
  ControlText control_text_;
  EffortLevels effort_levels_;
  PromptBound prompt_bound_;
  bool supports_tools_ = false;
  bool supports_reasoning_ = false;
  // Whether an answer without tools and reasoning is its own content, so that nothing need parse it.
  bool plain_ = false;
};
