#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "chat/schema_hooks.h"
#include "json-schema-to-grammar.h"
#include "peg-parser.h"

// Holds string arguments to their schemas in formats that spell them as plain text between tags, for which llama.cpp
// generates a grammar of any text. Only arguments of the tool itself are found, not strings inside of them.
class TextArguments {
 public:
  // Writes the parts of `arena`, from which the grammar is generated next. `builder` receives rules that they need.
  TextArguments(common_peg_arena& arena, const common_grammar_builder& builder, SchemaCollector& schemas)
      : arena_(arena), builder_(builder), schemas_(schemas) {}

  void hold();

 private:
  using Id = common_peg_parser_id;

  struct Argument {
    std::string tool, name;
    bool is_shared = false;  // Several arguments use the same parser.
  };

  void find_arguments(Id id, std::set<Id>& visited);
  std::optional<std::string> name_in(Id id, std::string_view tag) const;
  bool contains(Id id, const char* tag);
  // The GBNF of a parser, with rules for the texts in it; empty if it cannot be written.
  std::optional<std::string> spell(Id id, const Argument& argument, TextForm::Others others);
  std::optional<std::string> spell_each(const std::vector<Id>& ids, const char* separator, const Argument& argument,
                                        TextForm::Others others);
  std::optional<std::string> spell_text(Id id, const Argument& argument, TextForm::Others others);
  std::optional<std::string> spell_choice(Id id, const Argument& argument);
  std::string until_rule(Id id, const std::vector<std::string>& delimiters);

  common_peg_arena& arena_;
  const common_grammar_builder& builder_;
  SchemaCollector& schemas_;
  std::string tool_;  // The tool whose arguments follow.
  std::set<Id> visited_in_tool_;
  std::map<Id, Argument> arguments_;
  std::map<std::pair<std::string, Id>, bool> contains_;
  std::map<std::vector<std::string>, std::string> until_rules_;
};
