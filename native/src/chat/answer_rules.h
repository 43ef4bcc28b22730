#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat.h"
#include "chat/schema_hooks.h"
#include "grammar/grammar.h"

// Puts the grammar of a whole answer together: what the template's own grammar allows, and the caller's schema where
// the template does not hold answers to it.
class AnswerRules {
 public:
  struct Request {
    bool tools;     // May be called.
    bool required;  // Must be called.
    bool plain;     // The answer is its own content: there is no reasoning, and nothing around it.
  };
  explicit AnswerRules(SchemaCollector& schemas) : schemas_(schemas) {}

  // The content of an answer has to match this rule.
  void hold_to(uint32_t schema) { schema_ = schema; }
  // `reading` is how the answer will be read. Throws ERR_GRAMMAR_INVALID.
  AnswerGrammar finish(const common_chat_params& chat, const Request& request,
                       const common_chat_parser_params& reading);

 private:
  // The rule of the template's own grammar.
  uint32_t add_template(const common_chat_params& chat);
  // The caller's schema between two texts, from one state to another.
  void add_schema(const std::string& before, const std::string& after, uint32_t from, uint32_t to);
  // Answers as the template's grammar has them.
  AnswerGrammar of_template(const common_chat_params& chat);
  // Answers whose content matches the schema, or that begin with a trigger of the template's grammar.
  AnswerGrammar of_schema(const common_chat_params& chat, const Request& request,
                          const common_chat_parser_params& reading);
  // Answers that match the schema or call a tool, where the template's trigger is a pattern.
  AnswerGrammar of_either(const common_chat_params& chat, const common_chat_parser_params& reading);
  AnswerGrammar complete(AnswerGrammar answer, const std::vector<uint32_t>& roots);

  SchemaCollector& schemas_;
  std::optional<uint32_t> schema_;
};
