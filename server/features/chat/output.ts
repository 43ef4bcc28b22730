/** What form the answer must have: `response_format`, `tools`, `tool_choice`. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import { Fields, schemaText } from '../../http/fields.ts';
import type { ChatRules } from './rules.ts';

const toolsMax = 128;
/** Of all tools together: as many tokens as the largest contexts hold. */
const parameterBytesMax = 512 * 1024;
const toolName = /^[A-Za-z0-9_.-]{1,64}$/;

const formats = ['text', 'json_object', 'json_schema'] as const;

/** @returns the JSON schema as text, `{}` for any object, undefined for free text · @throws ERR_REQUEST_INVALID */
export function readOutputFormat(
  fields: Fields,
  { reportSchema }: Pick<ChatRules, 'reportSchema'>,
): string | undefined {
  const format = fields.object('response_format');
  if (format === undefined) return undefined;
  const type = format.choice('type', reportSchema === undefined ? formats : [...formats, 'agent_report']);
  if (type === undefined) format.refuse('type', 'must be a string');
  if (type === 'text') return undefined;
  if (type === 'agent_report') return reportSchema;
  if (type === 'json_object') return '{}';
  const wanted = format.object('json_schema') ?? format.refuse('json_schema', 'must be an object');
  return wanted.object('schema') === undefined ? '{}' : schemaText(wanted.raw('schema'), wanted.path('schema'));
}

type ToolFields = Pick<ChatInput, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readTools(fields: Fields): ToolFields {
  const list = fields.list('tools', { max: toolsMax }) ?? [];
  let parameterBytes = 0;
  const tools = list.map((tool, index) => {
    const read = readTool(new Fields(tool, `tools[${index}]`));
    parameterBytes += read.parameterBytes;
    if (parameterBytes > parameterBytesMax)
      fields.refuse('tools', `must have at most ${parameterBytesMax} bytes of \`parameters\` altogether`);
    return read.tool;
  });
  const names = new Set(tools.map((tool) => tool.function.name));
  if (names.size < tools.length) fields.refuse('tools', 'must not have two functions of the same name');
  return { ...readToolChoice(fields, tools), parallelToolCalls: fields.boolean('parallel_tool_calls', true) };
}

function readTool(tool: Fields): { readonly tool: ChatTool; readonly parameterBytes: number } {
  if (tool.choice('type', ['function']) === undefined) tool.refuse('type', 'must be "function"');
  const definition = tool.object('function') ?? tool.refuse('function', 'must be an object');
  const name = definition.text('name');
  if (!toolName.test(name)) definition.refuse('name', 'must be 1 to 64 letters, digits, dots, dashes or underscores');
  const description = definition.optionalText('description');
  const parameters = definition.object('parameters') && definition.raw('parameters');
  const text = parameters === undefined ? '' : schemaText(parameters, definition.path('parameters'));
  const read: ChatTool = {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
  return { tool: read, parameterBytes: Buffer.byteLength(text) };
}

function readToolChoice(fields: Fields, tools: readonly ChatTool[]): Pick<ChatInput, 'tools' | 'toolChoice'> {
  const expected = 'must be "auto", "none", "required" or {"type": "function", "function": {"name": …}}';
  const value = fields.raw('tool_choice') ?? (tools.length === 0 ? 'none' : 'auto');
  if (value === 'none') return { tools, toolChoice: 'none' };
  if (value === 'auto') return { tools, toolChoice: tools.length === 0 ? 'none' : 'auto' };
  if (tools.length === 0) return fields.refuse('tool_choice', 'needs `tools`');
  if (value === 'required') return { tools, toolChoice: 'required' };
  if (typeof value !== 'object') return fields.refuse('tool_choice', expected);
  const choice = new Fields(value, 'tool_choice');
  if (choice.choice('type', ['function']) === undefined) return fields.refuse('tool_choice', expected);
  const name = choice.object('function')?.text('name') ?? fields.refuse('tool_choice', expected);
  const named = tools.filter((tool) => tool.function.name === name);
  if (named.length === 0) return choice.refuse('function', 'must name one of `tools`');
  // The model sees this one tool alone and has to call it.
  return { tools: named, toolChoice: 'required' };
}
