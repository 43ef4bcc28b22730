/** Reads the required form of the answer: `response_format`, `tools`, `tool_choice`. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import { refuseField, refusePlace } from '../../http/body-reader.ts';
import type { ChatRules } from './rules.ts';
import type { ChatBody, ToolChoice } from './schema.ts';
import { schemaText } from './schema-text.ts';

/** Limit for all tools together, about the tokens of the largest contexts. */
const schemaBytesMax = 512 * 1024;

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
    // The route knows the agent's schema.
    case 'agent_facts':
      return '{}';
    // llama.cpp and Together take a schema here.
    case 'json_object':
      return format.schema === undefined ? '{}' : schemaText(format.schema, 'response_format.schema');
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
  const tools = body.map('tools', (tool): ChatTool => tool);
  requireTools(tools, (index) => `tools[${index}].function.parameters`);
  const choice = body.get('tool_choice');
  return {
    ...chooseTools(tools, callingOf(choice)),
    parallelToolCalls: body.get('parallel_tool_calls'),
    refusesCalls: choice === 'none',
  };
}

/** @param placeOf the path of a tool's JSON schema in the caller's body · @throws {ServerError} ERR_REQUEST_INVALID */
export function requireTools(tools: readonly ChatTool[], placeOf: (index: number) => string): void {
  let schemaBytes = 0;
  for (const [index, { function: called }] of tools.entries()) {
    if (called.parameters === undefined) continue;
    schemaBytes += Buffer.byteLength(schemaText(called.parameters, placeOf(index)));
    if (schemaBytes > schemaBytesMax) {
      refuseField('tools', `must have at most ${schemaBytesMax} bytes of JSON schemas altogether`, tools);
    }
  }
  const names = new Set(tools.map((tool) => tool.function.name));
  if (names.size < tools.length) refuseField('tools', 'must not have two functions of the same name', tools);
}

/** Which tools the model may call, independent of any API's notation. */
export interface Calling {
  readonly mode: 'auto' | 'none' | 'required';
  /** The only tools that the model gets; undefined: all. */
  readonly only?: OnlyTools;
}

interface OnlyTools {
  readonly names: readonly string[];
  /** For an error: the place in the body, what it must be, and its value. */
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function chooseTools(
  tools: readonly ChatTool[],
  { mode, only }: Calling,
): Pick<ChatInput, 'tools' | 'toolChoice'> {
  // Tools that are rendered are called, and the call would be text of the answer.
  if (mode === 'none') return { tools: [], toolChoice: 'none' };
  if (tools.length === 0) {
    if (mode === 'auto' && only === undefined) return { tools, toolChoice: 'none' };
    return refusePlace('tool_choice', 'needs `tools`');
  }
  if (only === undefined) return { tools, toolChoice: mode };
  const names = new Set(only.names);
  const kept = tools.filter((tool) => names.delete(tool.function.name));
  if (names.size > 0) return refuseField(only.path, only.expected, only.value);
  return { tools: kept, toolChoice: mode };
}

function callingOf(choice: ToolChoice = 'auto'): Calling {
  if (typeof choice === 'string') return { mode: choice };
  if (choice.type === 'allowed_tools') {
    const { mode, tools } = choice.allowed_tools;
    const names = tools.map((tool) => tool.function.name);
    const expected = 'must name only `tools`';
    return { mode, only: { names, path: 'tool_choice.allowed_tools', expected, value: choice.allowed_tools } };
  }
  // The model gets this tool only and must call it.
  const { name } = choice.function;
  return { mode: 'required', only: onlyTool(name, { path: 'tool_choice.function', value: choice.function }) };
}

/** For a choice that names one tool. */
export function onlyTool(name: string, { path, value }: { path: string; value: unknown }): OnlyTools {
  return { names: [name], path, expected: 'must name one of `tools`', value };
}
