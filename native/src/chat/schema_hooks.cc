#include "chat/schema_hooks.h"

#include <algorithm>

#include "base/coded_error.h"
#include "base/exported.h"
#include "chat/control_text.h"
#include "json-schema-to-grammar.h"
#include "json-schema.h"

namespace {

thread_local SchemaCollector* collector = nullptr;

constexpr std::string_view kRulePrefix = "json-schema-rule-";
// How many levels of a schema a template sees if it spells arguments as XML; deeper values are JSON.
constexpr int kTypedDepthMax = 6;

// The types of a schema in the form that llama.cpp's templates expect, each node with its rule.
common_chat_schema_ptr typed_node(SchemaDocument& document, const Conjunction& schemas, int depth) {
  const Shapes& shapes = collector->rules().answers(document, schemas);
  const uint32_t rule = collector->rules().rule_of(document, schemas);
  // Every node that a template receives has a rule. Overwrite an old entry: a node of an earlier document may have had
  // the same address.
  const auto remember = [&](common_chat_schema_ptr node, uint32_t its_rule) {
    collector->remember(node.get(), its_rule);
    return node;
  };
  std::vector<common_chat_schema_ptr> kinds;
  const auto add = [&](bool is_possible, auto make) {
    if (is_possible) kinds.push_back(remember(make(), rule));
  };
  const auto any = [&](auto&& test) { return std::any_of(shapes.begin(), shapes.end(), test); };
  add(any([](const Shape& shape) { return shape.null; }), std::make_unique<common_chat_schema_null>);
  add(any([](const Shape& shape) { return shape.yes || shape.no; }), std::make_unique<common_chat_schema_boolean>);
  add(any([](const Shape& shape) { return shape.number.has_value(); }), std::make_unique<common_chat_schema_number>);
  add(any([](const Shape& shape) { return shape.string.has_value(); }), std::make_unique<common_chat_schema_string>);
  const bool is_seen = depth < kTypedDepthMax && shapes.size() == 1;
  add(any([](const Shape& shape) { return shape.array.has_value(); }), [&] {
    auto array = std::make_unique<common_chat_schema_array>();
    const bool is_list = is_seen && shapes[0].array->prefix.empty() && shapes[0].array->rest;
    array->items = is_list ? typed_node(document, *shapes[0].array->rest, depth + 1)
                           : remember(std::make_unique<common_chat_schema_any>(), collector->rules().json().value());
    return array;
  });
  add(any([](const Shape& shape) { return shape.object.has_value(); }), [&] {
    auto object = std::make_unique<common_chat_schema_object>();
    if (!is_seen) return object;
    for (const ObjectShape::Property& property : shapes[0].object->properties) {
      auto node = typed_node(document, property.schemas, depth + 1);
      object->properties.push_back({property.name, std::move(node), property.required});
    }
    return object;
  });
  if (kinds.size() == 1) return std::move(kinds.front());
  auto either = std::make_unique<common_chat_schema_any_of>();
  either->children = std::move(kinds);
  return remember(std::move(either), rule);
}

std::string clean_name(const std::string& name) {
  std::string cleaned = name;
  std::replace_if(
      cleaned.begin(), cleaned.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-'; }, '-');
  return cleaned.empty() ? "rule" : cleaned;
}

}  // namespace

SchemaCollector::SchemaCollector(GrammarBudget budget) : budget_(budget), outer_(std::exchange(collector, this)) {}
SchemaCollector::~SchemaCollector() { collector = outer_; }
SchemaCollector* SchemaCollector::current() { return collector; }

uint32_t SchemaCollector::add_schema(const std::string& text) {
  SchemaDocument& document = rules_.add_document(text);
  Conjunction schemas;
  if (!document.root().is_boolean() || !document.root().boolean) schemas.push_back(&document.root());
  return rules_.rule_of(document, schemas);
}

const std::string& SchemaCollector::in_force(const std::string& text) const {
  const auto replaced = replaced_.find(text);
  return replaced == replaced_.end() ? text : replaced->second;
}

void SchemaCollector::add_tool(const std::string& name, const std::string& parameters) {
  const std::string& schema = in_force(parameters);
  add_schema(schema);
  const auto [entry, added] = tools_.try_emplace(name, &rules_.add_document(schema));
  if (!added) entry->second = nullptr;
}

std::optional<uint32_t> SchemaCollector::text_rule(const std::string& tool, const std::string& argument,
                                                   const TextForm& form) {
  const auto found = tools_.find(tool);
  if (found == tools_.end() || found->second == nullptr) return std::nullopt;
  SchemaDocument& document = *found->second;
  const Shapes& shapes = rules_.answers(document, {&document.root()});
  if (shapes.size() != 1 || !shapes[0].object) return std::nullopt;
  const ObjectShape::Property* property = shapes[0].object->find(argument);
  return property == nullptr ? std::nullopt : rules_.text_rule_of(document, property->schemas, form);
}

std::string SchemaCollector::name_of(uint32_t rule) { return std::string(kRulePrefix) + std::to_string(rule); }

std::optional<uint32_t> SchemaCollector::rule_named(std::string_view name) const {
  if (!name.starts_with(kRulePrefix)) return std::nullopt;
  return static_cast<uint32_t>(std::stoul(std::string(name.substr(kRulePrefix.size()))));
}

std::optional<uint32_t> SchemaCollector::rule_of(const common_chat_schema* node) const {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

namespace {

// llama.cpp replaces an error in its templates with one of its own; the collector keeps the original.
template <typename Work>
auto kept_failure(const Work& work) {
  if (collector == nullptr) throw CodedError("ERR_GRAMMAR_INVALID", "schemas are parsed only while a chat is prepared");
  try {
    return work();
  } catch (const CodedError& error) {
    collector->failure = error.what();
    throw;
  }
}

}  // namespace

EXPORTED common_chat_schema_document common_chat_schema_from_json(const common_json& schema) {
  return kept_failure([&] {
    // Marks belong to the prompt; without them, this is the text that was read before rendering.
    const std::string text = ControlText::without_marks(schema.dump());
    SchemaDocument& document = collector->rules().add_document(collector->in_force(text));
    Conjunction schemas;
    if (!document.root().is_boolean() || !document.root().boolean) schemas.push_back(&document.root());
    common_chat_schema_document result;
    result.root = typed_node(document, schemas, 0);
    return result;
  });
}

EXPORTED std::string build_grammar(const std::function<void(const common_grammar_builder&)>& callback,
                                   const common_grammar_options&) {
  return kept_failure([&] {
    collector->used = true;
    std::map<std::string, std::string> rules{{"space", SchemaCollector::name_of(collector->rules().json().space())}};
    common_grammar_builder builder;
    builder.add_rule = [&](const std::string& name, const std::string& text) {
      const std::string cleaned = clean_name(name);
      std::string key = cleaned;
      for (int copy = 0; rules.contains(key) && rules[key] != text; ++copy) key = cleaned + std::to_string(copy);
      rules[key] = text;
      return key;
    };
    builder.add_schema = [&](const std::string&, const common_chat_schema& node) {
      const std::optional<uint32_t> rule = collector->rule_of(&node);
      if (!rule) throw CodedError("ERR_GRAMMAR_INVALID", "the chat template generated its own schema");
      return SchemaCollector::name_of(*rule);
    };
    callback(builder);
    std::string grammar;
    for (const auto& [name, text] : rules) grammar.append(name).append(" ::= ").append(text).append("\n");
    return grammar;
  });
}

EXPORTED std::string json_schema_to_grammar(const common_json& schema, bool) {
  return kept_failure([&] {
    collector->used = true;
    return "root ::= " + SchemaCollector::name_of(collector->add_schema(schema.dump())) + "\n";
  });
}
