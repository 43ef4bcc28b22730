/**
 * What a client reads from its own request to choose a node: the model, the node that the request names, and which requests should
 * reach the same node because they begin with the same prompt. A node keeps the computed beginnings of
 * prompts, so a conversation is answered sooner where its earlier turns were. Only the choice of the node depends on the prompt: it
 * reveals at most eight bits of a hash that is keyed with the caller's API key. The rest of the choice depends on the API key only.
 * Pure, with WebCrypto.
 */

import { toHex } from '../base/bytes.ts';

/** Members of the request bodies of all APIs that begin a prompt. */
const beginnings = ['model', 'system', 'instructions', 'prompt', 'input'];
const charactersMax = 4096;
/** Not the beginning of a prompt, which is a JSON array. */
const orderText = 'order of nodes';
/** Larger bodies are sent to any node rather than parsed twice, unless they name one. */
const bodyBytesMax = 1024 * 1024;
/** The beginning of the token of a conversation's state: `resp_state_<node>-…`, or an id with another prefix of words. */
const tokenStart = /^(?:[a-z]+[-_])+([0-9a-f]{16})-/;
/** A member of JSON text. Quotes within strings are escaped, so this is no text of the user. */
const tokenMember = /"previous_response_id"\s*:\s*"([\w-]{1,64})/;

export interface RouteHints {
  /** Requested model. */
  readonly model?: string | undefined;
  /** Id of the node that holds the keys of the conversation's state: `previous_response_id` names it. */
  readonly node?: string | undefined;
  /** 0 to 255, the same for all requests that begin alike; undefined if the body is no prompt. */
  readonly affinity?: number | undefined;
  /** 0 to 2^32 − 1, the same for all prompts of an API key: each account has its own order of the nodes. */
  readonly accountOrder?: number | undefined;
  /** The whole hash, 64 hexadecimal digits, of which `affinity` is a part. It never leaves the client. */
  readonly conversation?: string | undefined;
}

/**
 * @param body a request body of any API; other contents than JSON give no hints
 * @param apiKey keys the hash, so that clients of one account agree and nobody else can compare prompts
 */
export async function routeHints(body: Uint8Array, apiKey: string): Promise<RouteHints> {
  if (body.length > bodyBytesMax) return { node: nodeOfToken(tokenMember.exec(new TextDecoder().decode(body))?.[1]) };
  const json = body.length > 0 ? objectIn(body) : undefined;
  if (json === undefined) return {};
  const model = typeof json.model === 'string' ? json.model : undefined;
  const node = nodeOfToken(json.previous_response_id);
  const beginning = promptBeginning(json);
  if (beginning === undefined) return { model, node };
  const key = await hashKey(apiKey);
  const [hash, order] = await Promise.all([hashed(beginning, key), hashed(orderText, key)]);
  const accountOrder = new DataView(order.buffer).getUint32(0);
  return { model, node, affinity: hash[0]!, accountOrder, conversation: toHex(hash) };
}

/**
 * The number by which `rankNodes` orders the nodes; undefined if the request is no prompt. The eight bits alone would give all accounts
 * together 256 places, so that most of 1,000 nodes would get no prompt (`bench/fleet.ts`).
 */
export function nodeAffinity({ affinity, accountOrder = 0 }: RouteHints): number | undefined {
  return affinity === undefined ? undefined : accountOrder * 256 + affinity;
}

function nodeOfToken(token: unknown): string | undefined {
  return typeof token === 'string' ? tokenStart.exec(token.slice(0, 64))?.[1] : undefined;
}

async function hashKey(apiKey: string) {
  const secret = new TextEncoder().encode(`cloister affinity ${apiKey}`);
  return await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

async function hashed(text: string, key: Awaited<ReturnType<typeof hashKey>>) {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}

function objectIn(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The model and everything up to the first message of the user, which later turns of a conversation repeat. */
function promptBeginning(json: Record<string, unknown>): string | undefined {
  const named = beginnings.filter((name) => name in json);
  const parts = named.map((name) => firstOf(json[name]));
  if (Array.isArray(json.messages)) parts.push(throughFirstUser(json.messages));
  else if (!named.some((name) => name === 'prompt' || name === 'input')) return undefined;
  return JSON.stringify(parts).slice(0, charactersMax);
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? throughFirstUser(value) : value;
}

function throughFirstUser(items: readonly unknown[]): readonly unknown[] {
  const isUser = (item: unknown) =>
    typeof item === 'object' && item !== null && 'role' in item && (item as { role: unknown }).role === 'user';
  const at = items.findIndex(isUser);
  return items.slice(0, at < 0 ? 1 : at + 1);
}
