/** A random word in the place of any part of a request, and the check that no refusal, log line or metric repeats it. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

export interface Probed {
  readonly status: number;
  readonly text: string;
}

/** One request with the key of the tests, its body as JSON. */
export async function sendTo(
  { app, secret }: TestApp,
  { method, url, body }: { method: 'GET' | 'POST'; url: string; body?: unknown },
): Promise<Probed> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const { statusCode, body: text } = await app.inject({ method, url, headers, ...payload });
  return { status: statusCode, text };
}

/** What the server has written down since it started. */
export async function tracesOf({ log, metrics }: TestApp): Promise<string> {
  return log() + (await metrics.registry.metrics());
}

export interface EchoProbe {
  /** What is changed: a body, a query, the parts of a path. */
  readonly request: unknown;
  readonly send: (request: unknown) => Promise<Probed>;
  /** Everything other than the error that must not contain the word: the log, metrics. */
  readonly traces: () => string | Promise<string>;
  /** Default: a lower-case word. */
  readonly word?: fc.Arbitrary<string>;
  /** Default: all; a query or a path holds texts alone. */
  readonly disguises?: Disguises;
  readonly numRuns?: number;
}

/** What takes the place of `part`. */
type Disguises = (text: string, part: unknown) => readonly unknown[];

const anyWord = fc.stringMatching(/^canary[a-z0-9]{10}$/);

/** The word as a text, a further field, a key, a part of a list, and where JSON or a schema is expected. */
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

/** Of the value itself and of everything in it. */
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
