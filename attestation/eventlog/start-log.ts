/**
 * The start log: what a server measured of itself before it served, event by event, and what RTMR3 must hold if the log
 * tells the truth. Pure, with WebCrypto: alike in Node and in a browser. docs/reference/start-log.md is the same for people.
 */
import { concatBytes, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { replayEventLog } from './replay.ts';

export interface StartEvent {
  /** Lowercase words with dots and dashes between them, 64 characters at most: `cloister.model`. */
  readonly name: string;
  /** What was measured, as its exact text: JSON in the form of RFC 8785 in every event that Cloister writes. */
  readonly content: string;
}

export const startLogFormat = 'cloister.start-log.v1';
export const startEventsMax = 1024;
/** UTF-16 units of one event's content, and of a log's text. */
export const startContentMax = 256 * 1024;
export const startLogTextMax = 4 * 1024 * 1024;

/** What Cloister's own events are called, in the order in which they are measured. */
export const startEventNames = {
  /** Before any model is loaded. */
  gpu: 'cloister.gpu',
  build: 'cloister.build',
  libraries: 'cloister.libraries',
  configuration: 'cloister.configuration',
  /** One per model, by id. */
  model: 'cloister.model',
  agents: 'cloister.agents',
  host: 'cloister.host',
  /** The last one: what is measured after it is measured by somebody else. */
  ready: 'cloister.ready',
} as const;

/**
 * What program and which weights make up this server, in one text. Its digest has the form of dstack's runtime events, so
 * that verifiers of ACI find it: see "Evidence" there. Not in logs of before.
 */
export const compositionEventName = 'compose-hash';
const dstackRuntimeEvent = 0x08000001;
/** TCG's EV_EVENT_TAG: an event whose digest is what counts. */
const eventTag = 6;

const namePattern = /^(?=.{1,64}$)[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const rtmr3 = 4;
const measuredStatus = 0;

/**
 * SHA-384 of the UTF-8 of `cloister.start-log.v1`, a line feed, the name, a line feed and the content. A name has no
 * line feed, so two events never have the same bytes. The composition's begins with four other bytes.
 * @returns 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED where the event is none
 */
export async function digestStartEvent(event: StartEvent): Promise<Uint8Array> {
  const { name, content } = checkStartEvent(event);
  const bytes =
    name === compositionEventName
      ? concatBytes(littleEndian(dstackRuntimeEvent), utf8(`:${name}:`), await compositionHash(content))
      : utf8(`${startLogFormat}\n${name}\n${content}`);
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
}

/** What ACI calls the compose hash. */
async function compositionHash(content: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(content)));
}

/** The text of the composition; undefined where none was measured. */
export function compositionOf(events: readonly StartEvent[]): string | undefined {
  return events.find(({ name }) => name === compositionEventName)?.content;
}

/**
 * The log as verifiers of ACI's dstack policy read it: a JSON list of RTMR events. Only the composition's digest can be
 * computed from what stands there; the others follow from the start log.
 */
export async function formatEventLog(events: readonly StartEvent[]): Promise<string> {
  const rows = await Promise.all(
    checkStartEvents(events).map(async (event) => {
      const isComposition = event.name === compositionEventName;
      return {
        imr: rtmr3 - 1,
        event_type: isComposition ? dstackRuntimeEvent : eventTag,
        digest: toHex(await digestStartEvent(event)),
        event: event.name,
        event_payload: isComposition ? toHex(await compositionHash(event.content)) : '',
      };
    }),
  );
  return JSON.stringify(rows);
}

/**
 * What RTMR3 holds after these events and no others, starting from zeros.
 * @returns 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function replayStartLog(events: readonly StartEvent[]): Promise<Uint8Array> {
  requireCount(events.length);
  const digests = await Promise.all(events.map(digestStartEvent));
  const measured = digests.map((digest) => ({ mrIndex: rtmr3, type: measuredStatus, digest }));
  return (await replayEventLog(measured))[3];
}

/** RTMR3 after one more event. @param rtmr3 48 bytes */
export async function extendRegister(rtmr3: Uint8Array, event: StartEvent): Promise<Uint8Array> {
  const bytes = concatBytes(rtmr3, await digestStartEvent(event));
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
}

/**
 * Verifies that a log is a whole start: Cloister's events, each in its place, and nothing after "ready". A quote made before
 * that is genuine too, and says less than it seems to.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function requireCompleteStart(events: readonly StartEvent[]): void {
  const { model, ...single } = startEventNames;
  const order: readonly string[] = Object.values(startEventNames);
  let last = 0;
  if (events.filter(({ name }) => name === compositionEventName).length > 1) {
    throw incomplete(`${compositionEventName} is there more than once`);
  }
  if (events.at(-1)?.name === compositionEventName) throw incomplete(`${compositionEventName} comes last`);
  for (const { name } of events) {
    if (name === compositionEventName) continue;
    // Logs of before have the GPUs after the agents: those servers did not verify them.
    if (name === startEventNames.gpu && order[last] === startEventNames.agents) continue;
    const place = order.indexOf(name);
    if (place < 0) throw incomplete(`${name} is none of Cloister's events`);
    if (place < last) throw incomplete(`${name} comes after ${order[last]}`);
    last = place;
  }
  for (const name of Object.values(single)) {
    const count = events.filter((event) => event.name === name).length;
    if (count !== 1) throw incomplete(`${name} is there ${count} times`);
  }
  if (!events.some(({ name }) => name === model)) throw incomplete('no model was measured');
}

/** `{"format":"cloister.start-log.v1","events":[{"name":"…","content":"…"},…]}`, without white space. */
export function formatStartLog(events: readonly StartEvent[]): string {
  const plain = checkStartEvents(events).map(({ name, content }) => ({ name, content }));
  return JSON.stringify({ format: startLogFormat, events: plain });
}

/**
 * @param text exactly what `formatStartLog` writes: other spacing, orders, spellings or repeated members are refused
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export function parseStartLog(text: string): readonly StartEvent[] {
  if (text.length > startLogTextMax) throw malformed(`has ${text.length} characters, at most ${startLogTextMax}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw malformed('is not JSON', cause);
  }
  const { format, events } = Object(json) as { format?: unknown; events?: unknown };
  if (format !== startLogFormat) throw malformed(`must have the format ${startLogFormat}`);
  const checked = checkStartEvents(events);
  if (formatStartLog(checked) !== text) throw malformed('is not written in its one form');
  return checked;
}

/**
 * Events that arrived inside another JSON document.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export function checkStartEvents(value: unknown): readonly StartEvent[] {
  if (!Array.isArray(value)) throw malformed('must have a list of events');
  requireCount(value.length);
  return value.map(checkStartEvent);
}

function checkStartEvent(value: unknown): StartEvent {
  const members = Object(value) as { name?: unknown; content?: unknown };
  const { name, content } = members;
  if (typeof name !== 'string' || !namePattern.test(name)) throw malformed('has an event without a proper name');
  if (typeof content !== 'string') throw malformed(`has an event ${name} without content`);
  if (content.length > startContentMax) {
    throw malformed(`has an event ${name} of ${content.length} characters, at most ${startContentMax}`);
  }
  // UTF-8 has no half characters: all of them would become the same one, and two contents would have one digest.
  if (!content.isWellFormed()) throw malformed(`has an event ${name} with half a character`);
  const unknown = Object.keys(members).find((key) => key !== 'name' && key !== 'content');
  if (unknown !== undefined) throw malformed(`has an event ${name} with another member`);
  return { name, content };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function requireCount(count: number): void {
  if (count > startEventsMax) throw malformed(`has ${count} events, at most ${startEventsMax}`);
}

function incomplete(reason: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', `the start log is not that of a whole start: ${reason}`);
}

function malformed(message: string, cause?: unknown): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the start log ${message}`, { cause });
}
