#include "chat/tool_schemas.h"

#include "base/coded_error.h"
#include "grammar/relaxed_schema.h"

namespace {

constexpr const char* kAnyObject = R"({"type":"object"})";

// Empty if the tool has no schema.
std::string schema_of(const common_json& function) {
  const bool has_schema = function.contains("parameters") && !function.at("parameters").is_null();
  return has_schema ? function.at("parameters").dump() : "";
}

bool is_strict(const common_json& function) {
  return function.contains("strict") && function.at("strict").is_boolean() && function.at("strict").get<bool>();
}

// Whether the grammar can enforce the schema. What the attempt takes is taken from the budget.
bool can_enforce(const std::string& schema, GrammarBudget& budget) {
  SchemaCollector attempt(budget);
  bool is_enforced = true;
  try {
    attempt.add_schema(schema);
    attempt.rules().complete();
  } catch (const CodedError&) {
    is_enforced = false;
  }
  budget = attempt.budget();
  return is_enforced;
}

// The strongest schema that can be enforced.
std::string enforceable(const std::string& schema, GrammarBudget& budget) {
  if (can_enforce(schema, budget)) return schema;
  try {
    std::string relaxed = relaxed_schema(schema, budget);
    if (can_enforce(relaxed, budget)) return relaxed;
  } catch (const CodedError&) {
    // Not even JSON that can be read, or too large.
  }
  return kAnyObject;
}

// Whether a tool may be held to less than its schema.
bool has_free_tool(const common_json& tools) {
  for (size_t index = 0; index < tools.size(); ++index) {
    if (!is_strict(tools.at(index).at("function"))) return true;
  }
  return false;
}

}  // namespace

void relax_tools(SchemaCollector& schemas, const common_json& tools, ToolHold hold) {
  if (hold == ToolHold::kWhole) return;
  // One budget for all attempts, so that many tools take no longer than one.
  GrammarBudget budget;
  for (size_t index = 0; index < tools.size(); ++index) {
    const common_json& function = tools.at(index).at("function");
    const std::string schema = schema_of(function);
    if (schema.empty() || is_strict(function)) continue;
    schemas.replace(schema, hold == ToolHold::kRelaxed ? enforceable(schema, budget) : kAnyObject);
  }
}

bool read_tools(SchemaCollector& schemas, const common_json& tools, ToolHold hold) {
  for (size_t index = 0; index < tools.size(); ++index) {
    const common_json& function = tools.at(index).at("function");
    const std::string schema = schema_of(function);
    if (schema.empty()) continue;
    try {
      schemas.add_tool(function.at("name").get<std::string>(), schema);
      schemas.rules().complete();
    } catch (const CodedError& error) {
      const bool is_grammar = error.code() == std::string_view("ERR_GRAMMAR_INVALID");
      if (is_grammar && hold != ToolHold::kAnyObject && has_free_tool(tools)) return false;
      throw CodedError(error.code(), "tools[" + std::to_string(index) + "]: " + error.what());
    }
  }
  return true;
}
