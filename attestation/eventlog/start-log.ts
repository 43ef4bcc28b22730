/**
 * The start log: the events that a server measures into RTMR3 before it serves, and their replay. Pure, with WebCrypto, for Node and browsers.
 * See docs/reference/start-log.md.
 */
import { concatBytes, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { replayEventLog } from './replay.ts';

export interface StartEvent {
  /** Lowercase words separated by dots and dashes, at most 64 characters: `cloister.model`. */
  readonly name: string;
  /** The exact measured text. Cloister's events contain JSON in the form of RFC 8785. */
  readonly content: string;
}

export const startLogFormat = 'cloister.start-log.v1';
export const startEventsMax = 1024;
/** Limits in UTF-16 code units, of one event's content and of a log's text. */
export const startContentMax = 256 * 1024;
export const startLogTextMax = 4 * 1024 * 1024;

/** The names of Cloister's events, in the order in which they are measured. */
export const startEventNames = {
  /** Before any model is loaded. */
  gpu: 'cloister.gpu',
  build: 'cloister.build',
  libraries: 'cloister.libraries',
  configuration: 'cloister.configuration',
  /** One per model, in the order of their ids. */
  model: 'cloister.model',
  agents: 'cloister.agents',
  host: 'cloister.host',
  /** The last event of the start. After it come only the groups of models that were loaded later: see `requireCompleteStart`. */
  ready: 'cloister.ready',
} as const;

/**
 * One text that names the program and the weights of the server. Its digest has the format of dstack's runtime events, which ACI verifiers
 * read: see "Evidence" in the ACI specification. Older logs lack it.
 */
export const compositionEventName = 'compose-hash';
/**
 * Names the nodes of which one gave this node the secrets of its fleet, by the digests of their keysets and of the policy that they
 * satisfied. Only nodes that joined a fleet have it.
 */
export const provisionEventName = 'cloister.provision';
/** Events that a log may have once, anywhere before its last event. */
const optionalEvents: readonly string[] = [compositionEventName, provisionEventName];
const dstackRuntimeEvent = 0x08000001;
/** TCG's EV_EVENT_TAG: an event that only its digest identifies. */
const eventTag = 6;

const namePattern = /^(?=.{1,64}$)[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const rtmr3 = 4;
const measuredStatus = 0;

/**
 * SHA-384 of the UTF-8 text of `cloister.start-log.v1`, a line feed, the name, a line feed and the content. Names have no line feed, so
 * two events never have the same bytes. The composition event begins with four other bytes.
 * @returns 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED for an invalid event
 */
export async function digestStartEvent(event: StartEvent): Promise<Uint8Array> {
  const { name, content } = checkStartEvent(event);
  const bytes =
    name === compositionEventName
      ? concatBytes(littleEndian(dstackRuntimeEvent), utf8(`:${name}:`), await compositionHash(content))
      : utf8(`${startLogFormat}\n${name}\n${content}`);
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
}

/** ACI calls this the compose hash. */
async function compositionHash(content: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(content)));
}

/** The text of the last composition, which names all models; undefined if none was measured. */
export function compositionOf(events: readonly StartEvent[]): string | undefined {
  return events.findLast(({ name }) => name === compositionEventName)?.content;
}

/**
 * The log in the format that ACI's dstack policy reads: a JSON list of RTMR events. Only the composition's digest can be computed from this
 * format; the other digests follow from the start log.
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
 * The value of RTMR3 after exactly these events, starting from zeros.
 * @returns 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function replayStartLog(events: readonly StartEvent[]): Promise<Uint8Array> {
  requireCount(events.length);
  const digests = await Promise.all(events.map(digestStartEvent));
  const measured = digests.map((digest) => ({ mrIndex: rtmr3, type: measuredStatus, digest }));
  return (await replayEventLog(measured))[3];
}

/** Extends RTMR3 with one event. @param rtmr3 48 bytes */
export async function extendRegister(rtmr3: Uint8Array, event: StartEvent): Promise<Uint8Array> {
  const bytes = concatBytes(rtmr3, await digestStartEvent(event));
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
}

/**
 * Verifies that a log is complete: the events of the start in order, up to "ready", then one complete group for each model that was loaded
 * later: the model, the libraries if they changed, and the new composition. A quote made earlier is genuine too, but proves less.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function requireCompleteStart(events: readonly StartEvent[]): void {
  const end = 1 + events.findIndex(({ name }) => name === startEventNames.ready);
  requireStart(end === 0 ? events : events.slice(0, end));
  requireLoads(events.slice(end));
}

function requireStart(events: readonly StartEvent[]): void {
  const { model, ...single } = startEventNames;
  const order: readonly string[] = Object.values(startEventNames);
  let last = 0;
  for (const optional of optionalEvents) {
    if (events.filter(({ name }) => name === optional).length > 1)
      throw incomplete(`${optional} occurs more than once`);
    if (events.at(-1)?.name === optional) throw incomplete(`${optional} comes last`);
  }
  for (const { name } of events) {
    if (optionalEvents.includes(name)) continue;
    // Logs of older servers have the GPU event after the agents: those servers did not verify their GPUs.
    if (name === startEventNames.gpu && order[last] === startEventNames.agents) continue;
    const place = order.indexOf(name);
    if (place < 0) throw incomplete(`${name} is not one of Cloister's events`);
    if (place < last) throw incomplete(`${name} comes after ${order[last]}`);
    last = place;
  }
  for (const name of Object.values(single)) {
    const count = events.filter((event) => event.name === name).length;
    if (count !== 1) throw incomplete(`${name} is there ${count} times`);
  }
  if (!events.some(({ name }) => name === model)) throw incomplete('no model was measured');
}

/** @param events all events after "ready" */
function requireLoads(events: readonly StartEvent[]): void {
  const { model, libraries, ready } = startEventNames;
  /** Names that may follow each event. */
  const next: Readonly<Record<string, readonly string[]>> = {
    [ready]: [model],
    [model]: [libraries, compositionEventName],
    [libraries]: [compositionEventName],
    [compositionEventName]: [model],
  };
  let last: string = ready;
  for (const { name } of events) {
    if (!next[last]!.includes(name)) throw incomplete(`${name} comes after ${last}`);
    last = name;
  }
  if (last === model || last === libraries) throw incomplete(`no ${compositionEventName} follows the last ${last}`);
}

/** `{"format":"cloister.start-log.v1","events":[{"name":"…","content":"…"},…]}`, without white space. */
export function formatStartLog(events: readonly StartEvent[]): string {
  const plain = checkStartEvents(events).map(({ name, content }) => ({ name, content }));
  return JSON.stringify({ format: startLogFormat, events: plain });
}

/**
 * @param text exactly as written by `formatStartLog`: other spacing, order, spelling or duplicate members are refused
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
  if (formatStartLog(checked) !== text) throw malformed('is not in canonical form');
  return checked;
}

/**
 * Validates events that were part of another JSON document.
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
  if (typeof name !== 'string' || !namePattern.test(name)) throw malformed('has an event without a valid name');
  if (typeof content !== 'string') throw malformed(`has an event ${name} without content`);
  if (content.length > startContentMax) {
    throw malformed(`has an event ${name} of ${content.length} characters, at most ${startContentMax}`);
  }
  // UTF-8 encodes every unpaired surrogate as the same bytes, so two contents would have one digest.
  if (!content.isWellFormed()) throw malformed(`has an event ${name} with an unpaired surrogate`);
  const unknown = Object.keys(members).find((key) => key !== 'name' && key !== 'content');
  if (unknown !== undefined) throw malformed(`has an event ${name} with an unknown member`);
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
  return new AttestationError('ERR_NOT_VERIFIED', `the start log is not that of a complete start: ${reason}`);
}

function malformed(message: string, cause?: unknown): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the start log ${message}`, { cause });
}
