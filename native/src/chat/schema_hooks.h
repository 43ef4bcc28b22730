#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "grammar/schema_rules.h"
#include "json.h"

struct common_chat_schema;

// llama.cpp's chat templates convert JSON schemas to grammars while they render. While a collector exists, the
// conversions on its thread come here instead: the addon exports the functions that libllama-common looks up by name
// (schema_hooks.cc).
class SchemaCollector {
 public:
  explicit SchemaCollector(GrammarBudget budget = {});
  ~SchemaCollector();
  SchemaCollector(const SchemaCollector&) = delete;
  SchemaCollector& operator=(const SchemaCollector&) = delete;

  static SchemaCollector* current();

  GrammarBuilder& builder() { return builder_; }
  SchemaRules& rules() { return rules_; }
  // Adds a whole schema and returns its rule.
  uint32_t add_schema(const std::string& text);
  // From now on, `replacement` takes the place of the schema `text` in the grammar, and not in the prompt.
  void replace(const std::string& text, std::string replacement) { replaced_[text] = std::move(replacement); }
  const std::string& in_force(const std::string& text) const;
  const GrammarBudget& budget() const { return budget_; }
  // Adds a tool, whose arguments a template may spell without quotes.
  void add_tool(const std::string& name, const std::string& parameters);
  bool has_tools() const { return !tools_.empty(); }
  // The rule of a tool's argument in this form; empty if the argument can be any text.
  std::optional<uint32_t> text_rule(const std::string& tool, const std::string& argument, const TextForm& form);
  // The rule that a name in a template's grammar refers to.
  std::optional<uint32_t> rule_named(std::string_view name) const;
  static std::string name_of(uint32_t rule);

  void remember(const common_chat_schema* node, uint32_t rule) { nodes_[node] = rule; }
  std::optional<uint32_t> rule_of(const common_chat_schema* node) const;
  // Whether a template has used a grammar of this collector.
  bool used = false;
  // Why a schema was rejected during rendering; empty if none was.
  std::string failure;

 private:
  GrammarBudget budget_;
  GrammarBuilder builder_{budget_};
  SchemaRules rules_{builder_};
  std::map<const common_chat_schema*, uint32_t> nodes_;
  std::map<std::string, std::string> replaced_;
  std::map<std::string, SchemaDocument*> tools_;  // Null for a name that several tools have.
  SchemaCollector* outer_;
};
