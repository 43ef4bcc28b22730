#pragma once

#include "chat/schema_hooks.h"
#include "json.h"

// What the grammar holds the arguments of tools without `strict: true` to: their whole schema, what can be enforced of
// it, or any object.
enum class ToolHold : uint8_t { kWhole, kRelaxed, kAnyObject };

// Replaces the schemas of tools without `strict: true` accordingly. The prompt keeps them.
void relax_tools(SchemaCollector& schemas, const common_json& tools, ToolHold hold);

// Adds the schemas of a request's tools. Returns false if one of them cannot be enforced and a weaker hold may help.
// Throws ERR_GRAMMAR_INVALID, with the place of the tool, if none can.
bool read_tools(SchemaCollector& schemas, const common_json& tools, ToolHold hold);
