#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/grammar_rules.h"
#include "grammar/json_rules.h"
#include "grammar/schema_shapes.h"

// How a chat template spells a string that it does not quote.
struct TextForm {
  // The values of other types that the template reads in the same place, as JSON.
  enum class Others : uint8_t { kNone, kListed, kAll };
  std::string end;  // The text lasts until this marker.
  Others others = Others::kNone;
};

// Turns JSON schemas into rules of a grammar. Each rule matches JSON texts of the values that its schemas allow, with
// members in the order of the schema and little white space. The texts are a subset of what the schema allows.
class SchemaRules {
 public:
  explicit SchemaRules(GrammarBuilder& builder) : builder_(builder), json_(builder) {}

  // Parses a schema, once for each text. The document lives as long as this object.
  SchemaDocument& add_document(std::string_view text);
  // The rule of a schema in that document.
  uint32_t rule_of(SchemaDocument& document, const Conjunction& schemas);
  // The rule of the values that these schemas allow, strings in this form. Empty if the text is free, or if the rule
  // would be too large.
  std::optional<uint32_t> text_rule_of(SchemaDocument& document, const Conjunction& schemas, const TextForm& form);
  // Fills in the requested rules, which are incomplete until then.
  void complete();
  // The types that an answer to these schemas can have: if they name no type, those that their keywords apply to.
  const Shapes& answers(SchemaDocument& document, const Conjunction& schemas);
  JsonRules& json() { return json_; }

 private:
  // The budget of text rules. They only narrow what an answer may contain, so a request that exceeds it remains valid.
  static constexpr uint64_t kTextBudget = 1'000'000;

  struct Task {
    SchemaDocument* document;
    Conjunction schemas;
    uint32_t rule;
  };

  void fill(SchemaDocument& document, const Shapes& shapes, uint32_t from, uint32_t to);
  void fill(SchemaDocument& document, const NumberShape& number, uint32_t from, uint32_t to);
  void fill(const StringShape& string, uint32_t from, uint32_t to);
  uint32_t shared_rule(const StringShape& string);
  void fill(SchemaDocument& document, const ArrayShape& array, uint32_t from, uint32_t to);
  void fill_unique(SchemaDocument& document, const ArrayShape& array, uint32_t from, uint32_t to);
  void fill(SchemaDocument& document, const ObjectShape& object, uint32_t from, uint32_t to);
  // Adds the members that the object does not list; `to` is the state after them.
  void add_others(SchemaDocument& document, const ObjectShape& object, uint32_t from, uint32_t to);
  void add_member_value(SchemaDocument& document, const Conjunction& schemas, uint32_t from, uint32_t to);

  std::optional<uint32_t> add_text_rule(SchemaDocument& document, const Conjunction& schemas, const TextForm& form);
  // Adds the texts of the string that `texts` contains. Returns false if they need too large an automaton.
  bool add_texts(const StringShape& string, const CharDfa& texts, uint32_t from, uint32_t to);
  const CharDfa& texts_before(const std::string& end);

  GrammarBuilder& builder_;
  JsonRules json_;
  std::map<std::string, std::unique_ptr<SchemaDocument>, std::less<>> documents_;
  std::map<Conjunction, uint32_t> rules_;
  std::map<Conjunction, Shapes> answers_;
  std::map<std::string, uint32_t> languages_;
  std::map<std::string, CharDfa> texts_before_;
  GrammarBudget text_budget_{kTextBudget};
  std::vector<Task> tasks_;
  const JsonValue* place_ = nullptr;  // The schema whose rule is being filled in.
};
