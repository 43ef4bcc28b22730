#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat.h"
#include "chat/schema_hooks.h"
#include "grammar/grammar.h"

// Builds the grammar of a whole answer from the template's own grammar and, where the template does not enforce it, the
// caller's schema.
class AnswerRules {
 public:
  struct Request {
    bool tools;     // Tools may be called.
    bool required;  // A tool must be called.
    bool plain;     // The answer is content only: no reasoning and no surrounding text.
  };
  explicit AnswerRules(SchemaCollector& schemas) : schemas_(schemas) {}

  // Requires the content of the answer to match this rule.
  void hold_to(uint32_t schema) { schema_ = schema; }
  // `reading` is how the answer will be parsed. Throws ERR_GRAMMAR_INVALID.
  AnswerGrammar finish(const common_chat_params& chat, const Request& request,
                       const common_chat_parser_params& reading);

 private:
  // Adds the template's own grammar and returns its rule.
  uint32_t add_template(const std::string& grammar);
  // Adds the caller's schema between two texts, from one state to another.
  void add_schema(const std::string& before, const std::string& after, uint32_t from, uint32_t to);
  // Answers that follow `grammar`, the template's own or a stricter one.
  AnswerGrammar of_template(const common_chat_params& chat, const std::string& grammar);
  // Answers whose content matches the schema, or that begin with a trigger of the template's grammar.
  AnswerGrammar of_schema(const common_chat_params& chat, const Request& request,
                          const common_chat_parser_params& reading);
  // Answers that match the schema or call a tool, for templates whose trigger is a pattern.
  AnswerGrammar of_either(const common_chat_params& chat, const common_chat_parser_params& reading);
  AnswerGrammar complete(AnswerGrammar answer, const std::vector<uint32_t>& roots);

  SchemaCollector& schemas_;
  std::optional<uint32_t> schema_;
};
