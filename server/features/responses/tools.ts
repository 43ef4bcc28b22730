/** Reads the tools of a response and the choice among them. */
import type { ChatInput, ChatTool } from '@cloister/models/interface/model';
import { type Calling, chooseTools, onlyTool, requireTools } from '../chat/output.ts';
import { toFunction } from './custom-tools.ts';
import type { InputTokensBody } from './schema.ts';
import type { ResponseTool, ResponseToolChoice } from './tool-schema.ts';

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readTools({
  tools: sent = [],
  tool_choice: choice,
}: InputTokensBody): Pick<ChatInput, 'tools' | 'toolChoice'> {
  const tools = sent.map(toChatTool);
  requireTools(tools, (index) => `tools[${index}].parameters`);
  return chooseTools(tools, callingOf(choice));
}

function toChatTool(tool: ResponseTool): ChatTool {
  if (tool.type === 'custom') return toFunction(tool);
  const { name, description, parameters } = tool;
  return {
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), ...(parameters && { parameters }) },
  };
}

function callingOf(choice: ResponseToolChoice = 'auto'): Calling {
  if (typeof choice === 'string') return { mode: choice };
  if (choice.type === 'allowed_tools') {
    const names = choice.tools.map(({ name }) => name);
    const expected = 'must name only `tools`';
    return { mode: choice.mode, only: { names, path: 'tool_choice.tools', expected, value: choice.tools } };
  }
  return { mode: 'required', only: onlyTool(choice.name, { path: 'tool_choice.name', value: choice.name }) };
}
