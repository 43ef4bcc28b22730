/** Refuses what a schema could only call a wrong type, with the reason and what to send instead. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';
import { refuseForeign } from '../chat/foreign-fields.ts';
import { refuseMedia } from '../chat/media.ts';
import { foreignFields } from './foreign-fields.ts';

/** Fields that refer to state on OpenAI's servers, with what to send here instead. */
const stored: Readonly<Record<string, string>> = {
  conversation: 'names a stored conversation, and nothing is stored here: send its items in `input`',
  prompt: 'names a stored prompt, and nothing is stored here: send its text in `input`',
};

/** Items of tools that run on OpenAI's servers, or that only OpenAI's models have. */
const itemsOfOthers: ReadonlySet<unknown> = new Set([
  ...['web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call', 'compaction'],
  ...['computer_call', 'computer_call_output', 'local_shell_call', 'local_shell_call_output', 'shell_call'],
  ...['shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'tool_search_call', 'tool_search_output'],
  ...['mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
]);

/**
 * Refuses what the schema cannot, and gives messages the type that clients leave out.
 * @param raw parsed JSON
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function withTypes(raw: unknown): unknown {
  if (!isPlainObject(raw)) return raw;
  refuseForeign(raw, foreignFields);
  for (const [name, reason] of Object.entries(stored)) {
    if ((raw[name] ?? null) !== null) refusePlace(name, reason);
  }
  refuseMedia(raw.input, 'input', 'input_image');
  refuseTools(raw.tools);
  if (!Array.isArray(raw.input)) return raw;
  return { ...raw, input: raw.input.map((item: unknown, index) => typedItem(item, `input[${index}]`)) };
}

function typedItem(item: unknown, path: string): unknown {
  if (!isPlainObject(item)) return item;
  const { type, role, id } = item;
  if (type === 'item_reference' || (type === undefined && role === undefined && typeof id === 'string')) {
    refusePlace(path, 'names a stored item, and nothing is stored here: send the item itself (`store: false`)');
  }
  if (itemsOfOthers.has(type)) {
    refusePlace(path, `is of the type "${type}", which this server does not have: leave it out, or send its text`);
  }
  refuseStoredFiles(item.content, `${path}.content`);
  refuseStoredFiles(item.output, `${path}.output`);
  return type === undefined && role !== undefined ? { type: 'message', ...item } : item;
}

function refuseStoredFiles(parts: unknown, path: string): void {
  if (!Array.isArray(parts)) return;
  for (const [index, part] of parts.entries()) {
    if (!isPlainObject(part) || (part.type !== 'input_image' && part.type !== 'input_file')) continue;
    const place = `${path}[${index}]`;
    const instead = `send a data URL in \`${part.type === 'input_image' ? 'image_url' : 'file_data'}\``;
    if ((part.file_id ?? null) !== null) {
      refusePlace(`${place}.file_id`, `names a stored file, and nothing is stored here: ${instead}`);
    }
    if ((part.file_url ?? null) !== null) {
      refusePlace(`${place}.file_url`, `is a link, and this server fetches nothing: ${instead}`);
    }
  }
}

/** Names what coding agents send and how to switch it off. */
function refuseTools(tools: unknown): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isPlainObject(tool) || tool.type !== 'namespace') continue;
    const instead = 'send its functions in `tools` (Codex: `multi_agent = false` under `[features]`)';
    refusePlace(`tools[${index}]`, `is a namespace of tools, and this server takes single tools only: ${instead}`);
  }
}
