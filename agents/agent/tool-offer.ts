/**
 * An agent's tools as functions that its model may call: how they are described to it, and which documents its arguments
 * become. What the tools have read before the model began is not read again, unless something is given beside it. Pure.
 */
import type { Agent, AgentDocument, AgentTool, GivenInput, Json } from './agent.ts';

/** As chat templates take functions. */
export interface OfferedFunction {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Json };
}

/** What a call may read altogether, UTF-16 units: as much as a caller may send. */
export const callUnitsMax = 200_000;

const standing = 'It has read the documents already: call it for a text that is new.';

/** One per tool, in their order; the same bytes for every request, so that a prompt with them is computed once. */
export function offeredFunctions({ tools }: Pick<Agent, 'tools'>): readonly OfferedFunction[] {
  return tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: `${tool.purpose} ${standing}`, parameters: parametersOf(tool) },
  }));
}

export interface CallSources {
  /** What the caller sent, as the tools have read it. */
  readonly documents: readonly AgentDocument[];
  /** By which places in the text of this call are named: an index that no message of the caller has. */
  readonly message: number;
}

/**
 * @param text the arguments as the model wrote them
 * @returns what the tool is to read, or what is wrong, for the model; that never repeats what the arguments hold
 */
export function readArguments(
  tool: Pick<AgentTool, 'inputs'>,
  text: string,
  { documents, message }: CallSources,
): { readonly documents: readonly AgentDocument[] } | { readonly error: string } {
  const given = parseObject(text);
  if (given === undefined) return { error: 'the arguments must be one JSON object' };
  const taken = Object.keys(propertiesOf(tool));
  if (Object.keys(given).some((name) => !taken.includes(name))) {
    return { error: `only these arguments are taken: ${taken.join(', ')}` };
  }
  const own = readText(given.text);
  if (own === undefined) return { error: '`text` must be a text' };
  const lines: string[] = [];
  for (const [name, input] of Object.entries(tool.inputs ?? {})) {
    const values = readValues(given[name], input);
    if (values === undefined)
      return { error: `\`${name}\` must be a list of at most ${input.valuesMax}: ${input.description}` };
    if (values.length > 0) lines.push(input.toText(values));
  }
  const reread = documents.filter((document) => document.message === given.message);
  if (given.message !== undefined && reread.length === 0)
    return { error: '`message` must be one that holds a document' };
  if (own === '' && reread.length === 0) return { error: 'there is nothing to read: `text` is missing' };
  const read = [...reread, { message, text: [own, ...lines].filter((part) => part !== '').join('\n\n') }];
  const units = read.reduce((sum, document) => sum + document.text.length, 0);
  return units > callUnitsMax ? { error: `at most ${callUnitsMax} characters are read` } : { documents: read };
}

function parametersOf(tool: AgentTool): Json {
  const required = tool.inputs === undefined ? { required: ['text'] } : {};
  return { type: 'object', properties: propertiesOf(tool), ...required, additionalProperties: false };
}

function propertiesOf({ inputs }: Pick<AgentTool, 'inputs'>): { readonly [name: string]: Json } {
  const text: Json = { type: 'string' };
  if (inputs === undefined) return { text };
  const message: Json = {
    type: 'integer',
    minimum: 0,
    description: 'Reads this message of the user, as 0 of [m0:1-9], again.',
  };
  const lists = Object.entries(inputs).map(([name, input]) => [name, schemaOf(input)] as const);
  return { text, message, ...Object.fromEntries(lists) };
}

function schemaOf({ description, pattern, valuesMax }: GivenInput): Json {
  return { type: 'array', description, maxItems: valuesMax, items: { type: 'string', pattern } };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    // Models write null for what they leave out.
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  } catch {
    return undefined;
  }
}

/** @returns empty where none is given, undefined where it is no text */
function readText(value: unknown): string | undefined {
  if (value === undefined) return '';
  return typeof value === 'string' ? value.trim() : undefined;
}

/** @returns undefined where they are not as the input says */
function readValues(value: unknown, { pattern, valuesMax }: GivenInput): readonly string[] | undefined {
  if (value === undefined) return [];
  const form = new RegExp(pattern, 'u');
  const isOne = (one: unknown): one is string => typeof one === 'string' && form.test(one);
  return Array.isArray(value) && value.length <= valuesMax && value.every(isOne) ? value : undefined;
}
