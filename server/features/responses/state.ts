/**
 * The state of a conversation, sealed and handed to the client: the server keeps nothing but two keys in memory.
 * See docs/decisions/2026-11-23-response-state.md.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ChatMessage } from '@cloister/models/interface/model';
import { ServerError } from '../../http/errors.ts';

/** State is valid for this time, and so is a key for sealing. */
export const stateLifetimeMs = 3_600_000;
/** Larger conversations get no state. */
export const stateBytesMax = 512 * 1024;

const prefix = 'resp_state_';
/** In a fleet, the node whose keys open the token follows, as in other ids. */
const tokenStart = /^resp_state_(?:([0-9a-f]{16})-)?/;
const startLengthMax = prefix.length + 17;
const nonceBytes = 12;
const tagBytes = 16;
/** Key number, 4 bytes, and nonce. */
const headBytes = 4 + nonceBytes;
/** Characters of the longest token: its state in base64url. */
const tokenLengthMax = startLengthMax + Math.ceil(((headBytes + tagBytes + stateBytesMax) * 4) / 3);

/** What the request that opens a state must match. */
export interface StateOwner {
  readonly account: string;
  /** Digest of the served models. */
  readonly models: string;
}

export interface SealedConversation {
  readonly messages: readonly ChatMessage[];
  /** Data URLs, in the order of their places in the messages. */
  readonly images: readonly string[];
}

interface SealedState extends SealedConversation {
  readonly expires: number;
}

interface SealingKey {
  /** Counts the keys of this process. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly madeAt: number;
}

/** @returns the node that a token names; undefined if it names none */
export function nodeOfState(token: string): string | undefined {
  return tokenStart.exec(token)?.[1];
}

export class ResponseStates {
  readonly #now: () => number;
  readonly #nodePart: () => string;
  #current: SealingKey;
  /** Opens states that were sealed before the current key was made. */
  #previous: SealingKey | undefined;

  /** @param now milliseconds since 1970 · @param node the part of ids that names this node, with its dash; empty without a fleet */
  constructor(now: () => number, node: () => string = () => '') {
    this.#now = now;
    this.#nodePart = node;
    // A random first number, so that the state of an earlier process names no key of this one.
    this.#current = { number: randomBytes(4).readUInt32BE(), bytes: randomBytes(32), madeAt: now() };
  }

  /** @returns the token; undefined if the conversation is too large */
  seal({ messages, images }: SealedConversation, owner: StateOwner): string | undefined {
    // Large images are not copied into a text that would be too long.
    if (images.reduce((sum, { length }) => sum + length, 0) > stateBytesMax) return undefined;
    const state: SealedState = { expires: this.#now() + stateLifetimeMs, messages, images };
    const text = Buffer.from(JSON.stringify(state));
    if (text.length > stateBytesMax) return undefined;
    this.#rotate();
    const { number, bytes } = this.#current;
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(number);
    randomBytes(nonceBytes).copy(head, 4);
    const cipher = createCipheriv('aes-256-gcm', bytes, head.subarray(4)).setAAD(boundTo(head, owner));
    const sealed = Buffer.concat([head, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    text.fill(0);
    return prefix + this.#nodePart() + sealed.toString('base64url');
  }

  /** @throws {ServerError} ERR_STATE_INVALID */
  open(token: string, owner: StateOwner): SealedConversation {
    if (!token.startsWith(prefix)) throw withoutState();
    this.#rotate();
    const state = this.#decrypt(token, owner);
    if (state === undefined || state.expires <= this.#now()) throw notOpened();
    return state;
  }

  #decrypt(token: string, owner: StateOwner): SealedState | undefined {
    if (token.length > tokenLengthMax) return undefined;
    const sealed = Buffer.from(token.replace(tokenStart, ''), 'base64url');
    if (sealed.length <= headBytes + tagBytes) return undefined;
    const head = sealed.subarray(0, headBytes);
    const key = [this.#current, this.#previous].find((one) => one?.number === head.readUInt32BE());
    if (key === undefined) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, head.subarray(4)).setAAD(boundTo(head, owner));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      const text = Buffer.concat([decipher.update(sealed.subarray(headBytes, -tagBytes)), decipher.final()]);
      const state = JSON.parse(text.toString()) as SealedState;
      text.fill(0);
      return state;
    } catch {
      return undefined;
    }
  }

  /** Replaces keys after their time and erases them: what they sealed has expired, and nobody can open it any more. */
  #rotate(): void {
    const now = this.#now();
    if (now - this.#current.madeAt < stateLifetimeMs) return;
    this.#previous?.bytes.fill(0);
    const { number, bytes, madeAt } = this.#current;
    // What a key sealed in its hour expires within the next.
    const isOver = now - madeAt >= 2 * stateLifetimeMs;
    if (isOver) bytes.fill(0);
    this.#previous = isOver ? undefined : this.#current;
    this.#current = { number: (number + 1) % 2 ** 32, bytes: randomBytes(32), madeAt: now };
  }
}

/** The authenticated data: a state opens only for its owner, and its key number cannot be changed. */
function boundTo(head: Buffer, { account, models }: StateOwner): Buffer {
  return Buffer.from(JSON.stringify(['cloister response state 1', head.toString('hex'), account, models]));
}

function withoutState(): ServerError {
  return new ServerError(
    'ERR_STATE_INVALID',
    '`previous_response_id` names a response without state: send `"store": true` with every request that will be ' +
      'continued, and its `id`, or `cloister_state` of `response.completed` if it was streamed; or send the items in `input`',
  );
}

/** One message for every reason, so that it does not tell whose state it is. */
export function notOpened(): ServerError {
  return new ServerError(
    'ERR_STATE_INVALID',
    '`previous_response_id` cannot be opened: state is valid for one hour, for the same account and models, until the ' +
      'server restarts; send the items of the conversation in `input`',
  );
}
