/** Replaces each part of a request by a random word, and checks that no error, log line or metric repeats it. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

export interface Probed {
  readonly status: number;
  readonly text: string;
}

/** Sends one request with the key of the tests and a JSON body. */
export async function sendTo(
  { app, secret }: TestApp,
  { method, url, body }: { method: 'GET' | 'POST'; url: string; body?: unknown },
): Promise<Probed> {
  const version = url.startsWith('/v1/messages') ? { 'anthropic-version': '2023-06-01' } : {};
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...version };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const { statusCode, body: text } = await app.inject({ method, url, headers, ...payload });
  return { status: statusCode, text };
}

/** The server's output since its start. */
export async function tracesOf({ log, metrics }: TestApp): Promise<string> {
  return log() + (await metrics.registry.metrics());
}

export interface EchoProbe {
  /** The value to change: a body, a query, or the parts of a path. */
  readonly request: unknown;
  readonly send: (request: unknown) => Promise<Probed>;
  /** The outputs that, like the error, must not contain the word: log and metrics. */
  readonly traces: () => string | Promise<string>;
  /** Default: a random lower-case word. */
  readonly word?: fc.Arbitrary<string>;
  /** Default: all. A query or a path contains only text. */
  readonly disguises?: Disguises;
  readonly numRuns?: number;
}

/** The replacements for `part`. */
type Disguises = (text: string, part: unknown) => readonly unknown[];

const anyWord = fc.stringMatching(/^canary[a-z0-9]{10}$/);

/** The word as a text, an additional field, a key, a list item, and in place of JSON or a schema. */
const everywhere: Disguises = (text, part) => [
  text,
  Array.isArray(part) ? [...part, text] : typeof part === 'object' ? { ...part, [text]: text } : text,
  { [text]: text },
  [text],
  `{"${text}`,
  { type: text },
  { $ref: `#/${text}` },
];

export const asText: Disguises = (text) => [text, ` ${text}`, `${text},${text}`];

export async function expectNoEcho(probe: EchoProbe): Promise<void> {
  const { request, send, traces, word = anyWord, disguises = everywhere, numRuns = 300 } = probe;
  const cases = fc.record({
    text: word,
    path: fc.constantFrom(...pathsOf(request)),
    disguise: fc.nat({ max: disguises('', '').length - 1 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ text, path, disguise }) => {
      const changed = disguises(text, partAt(request, path))[disguise];
      const answer = await send(withPart(request, path, changed));
      if (answer.status >= 400) expect(answer.text).not.toContain(text);
      expect(await traces()).not.toContain(text);
    }),
    { numRuns },
  );
}

type Path = readonly (string | number)[];

/** Includes the value itself and all nested values. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

function partAt(value: unknown, path: Path): unknown {
  return path.reduce((part, key) => (part as Record<string | number, unknown>)[key], value);
}

function withPart(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withPart(copy[key], rest, part);
  return copy;
}
