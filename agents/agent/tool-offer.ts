/**
 * An agent's tools as functions that its model may call: how they are described to it, and which documents its arguments
 * become. Documents that the tools read before the model started are read again only if the call has other arguments. Pure.
 */
import type { Agent, AgentDocument, AgentTool, GivenInput, Json } from './agent.ts';

/** A function in the form that chat templates expect. */
export interface OfferedFunction {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Json };
}

/** Maximum total length of the texts of one call, in UTF-16 units: the same as for a request. */
export const callUnitsMax = 200_000;

const standing = 'It has read the documents already: call it for a text that is new.';

/**
 * One function per offered tool, in the order of the tools. The bytes are the same for every request, so that the prompt prefix is cached.
 */
export function offeredFunctions({ tools }: Pick<Agent, 'tools'>): readonly OfferedFunction[] {
  return tools
    .filter(({ isOffered = true }) => isOffered)
    .map((tool) => ({
      type: 'function',
      function: { name: tool.name, description: `${tool.purpose} ${standing}`, parameters: parametersOf(tool) },
    }));
}

export interface CallSources {
  /** The caller's documents, as the tools read them before the model started. */
  readonly documents: readonly AgentDocument[];
  /** Message index that denotes the text of this call: one that no message of the caller has. */
  readonly message: number;
}

/**
 * @param text the arguments as the model wrote them
 * @returns the documents for the tool, or an error text for the model, which never repeats the arguments
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
    return { error: `accepted arguments: ${taken.join(', ')}` };
  }
  const own = readText(given.text);
  if (own === undefined) return { error: '`text` must be a string' };
  const lines: string[] = [];
  for (const [name, input] of Object.entries(tool.inputs ?? {})) {
    const values = readValues(given[name], input);
    if (values === undefined)
      return { error: `\`${name}\` must be a list of at most ${input.valuesMax}: ${input.description}` };
    if (values.length > 0) lines.push(input.toText(values));
  }
  const reread = documents.filter((document) => document.message === given.message);
  if (given.message !== undefined && reread.length === 0)
    return { error: '`message` must be the number of a message that contains a document' };
  if (own === '' && reread.length === 0) return { error: 'there is nothing to read: `text` is missing' };
  const read = [...reread, { message, text: [own, ...lines].filter((part) => part !== '').join('\n\n') }];
  const units = read.reduce((sum, document) => sum + document.text.length, 0);
  return units > callUnitsMax
    ? { error: `the text must have at most ${callUnitsMax} characters` }
    : { documents: read };
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
    // Models write null for arguments that they omit.
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  } catch {
    return undefined;
  }
}

/** @returns '' if the argument is missing, undefined if it is not a string */
function readText(value: unknown): string | undefined {
  if (value === undefined) return '';
  return typeof value === 'string' ? value.trim() : undefined;
}

/** @returns undefined if the arguments do not match the tool's input */
function readValues(value: unknown, { pattern, valuesMax }: GivenInput): readonly string[] | undefined {
  if (value === undefined) return [];
  const form = new RegExp(pattern, 'u');
  const isOne = (one: unknown): one is string => typeof one === 'string' && form.test(one);
  return Array.isArray(value) && value.length <= valuesMax && value.every(isOne) ? value : undefined;
}
