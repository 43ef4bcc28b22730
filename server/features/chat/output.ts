/** Reads the required form of the answer: `response_format`, `tools`, `tool_choice`. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import { refuseField } from '../../http/body-reader.ts';
import type { ChatRules } from './rules.ts';
import type { ChatBody, ToolChoice } from './schema.ts';
import { schemaText } from './schema-text.ts';

/** Limit for all tools together, about the tokens of the largest contexts. */
const parameterBytesMax = 512 * 1024;

/** @returns the JSON schema as text, `{}` for any object, undefined for free text · @throws ERR_REQUEST_INVALID */
export function readOutputFormat(
  body: ChatBody,
  { reportSchema }: Pick<ChatRules, 'reportSchema'>,
): string | undefined {
  const format = body.get('response_format');
  switch (format?.type) {
    case undefined:
    case 'text':
      return undefined;
    case 'agent_report':
      return reportSchema;
    case 'json_object':
      return '{}';
    case 'json_schema': {
      const { schema } = format.json_schema;
      return schema === undefined ? '{}' : schemaText(schema, 'response_format.json_schema.schema');
    }
  }
}

interface ToolFields extends Pick<ChatInput, 'tools' | 'toolChoice' | 'parallelToolCalls'> {
  /** The caller sent `tool_choice: "none"`; without tools, `toolChoice` is "none" by default. */
  readonly refusesCalls: boolean;
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readTools(body: ChatBody): ToolFields {
  let parameterBytes = 0;
  const tools = body.map('tools', (tool, index): ChatTool => {
    const { parameters } = tool.function;
    if (parameters !== undefined) {
      parameterBytes += Buffer.byteLength(schemaText(parameters, `tools[${index}].function.parameters`));
    }
    if (parameterBytes > parameterBytesMax)
      body.refuse('tools', `must have at most ${parameterBytesMax} bytes of \`parameters\` altogether`);
    return tool;
  });
  const names = new Set(tools.map((tool) => tool.function.name));
  if (names.size < tools.length) body.refuse('tools', 'must not have two functions of the same name');
  const choice = body.get('tool_choice');
  return {
    ...applyToolChoice(body, { tools, choice }),
    parallelToolCalls: body.get('parallel_tool_calls'),
    refusesCalls: choice === 'none',
  };
}

interface ToolCalling {
  readonly tools: readonly ChatTool[];
  readonly choice: ToolChoice | undefined;
}

function applyToolChoice(
  body: ChatBody,
  { tools, choice = 'auto' }: ToolCalling,
): Pick<ChatInput, 'tools' | 'toolChoice'> {
  if (choice === 'none') return { tools, toolChoice: 'none' };
  if (choice === 'auto') return { tools, toolChoice: tools.length === 0 ? 'none' : 'auto' };
  if (tools.length === 0) return body.refuse('tool_choice', 'needs `tools`');
  if (choice === 'required') return { tools, toolChoice: 'required' };
  if (choice.type === 'allowed_tools') return allowTools(tools, choice.allowed_tools);
  const named = tools.filter((tool) => tool.function.name === choice.function.name);
  if (named.length === 0) return refuseField('tool_choice.function', 'must name one of `tools`', choice.function);
  // The model gets this tool only and must call it.
  return { tools: named, toolChoice: 'required' };
}

type AllowedTools = Extract<ToolChoice, { type: 'allowed_tools' }>['allowed_tools'];

/** The model gets the allowed tools only. */
function allowTools(tools: readonly ChatTool[], allowed: AllowedTools): Pick<ChatInput, 'tools' | 'toolChoice'> {
  const names = new Set(allowed.tools.map((tool) => tool.function.name));
  const kept = tools.filter((tool) => names.delete(tool.function.name));
  if (names.size > 0) return refuseField('tool_choice.allowed_tools', 'must name only `tools`', allowed);
  return { tools: kept, toolChoice: allowed.mode };
}
