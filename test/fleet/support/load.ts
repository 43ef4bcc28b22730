/** Clients that keep sending chat requests to a fleet, and remember how each one ended. */
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { attestedFetch } from '../../../attestation/client/attested-fetch.ts';
import { simulatedPolicy } from '../../support/server/simulated-fleet.ts';
import { type Caller, type Fleet, model } from './fleet.ts';

/** Between two requests of a client, and after one that failed. */
const pauseMs = { succeeded: 150, failed: 500 };
const requestTimeoutMs = 30_000;

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** How a request ended. Times are milliseconds since the load began. */
export interface Outcome {
  readonly client: 'plain' | 'verified';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number | undefined;
  /** `x-request-id`; undefined if no answer began. */
  readonly requestId: string | undefined;
  /** Id of the node that answered. */
  readonly node: string | undefined;
  /** Of a complete answer. */
  readonly usage: Usage | undefined;
  /** Of a failure: the code of the answer, or of the error. */
  readonly code: string | undefined;
}

export interface LoadOptions {
  /** Of each kind. */
  readonly clients: number;
  /** Plain ones use the balancer, verified ones choose nodes. Default: both. */
  readonly kinds?: readonly Outcome['client'][];
  readonly prompt: (number: number) => string;
  /** Of each answer. */
  readonly maxTokens?: number;
}

interface Exchange {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: Promise<string>;
}
type Send = (caller: Caller, body: string, signal: AbortSignal) => Promise<Exchange>;

export class Load {
  readonly outcomes: Outcome[] = [];
  readonly #startedAt = performance.now();
  readonly #fleet: Fleet;
  readonly #running: Promise<void>[];
  readonly #options: LoadOptions;
  readonly #kinds: readonly Outcome['client'][];
  readonly #sends: Readonly<Record<Outcome['client'], Send>>;
  readonly #agent: Agent;
  #isOver = false;
  #count = 0;

  constructor(fleet: Fleet, options: LoadOptions) {
    this.#fleet = fleet;
    this.#options = options;
    this.#kinds = options.kinds ?? ['plain', 'verified'];
    this.#agent = new Agent({ keepAlive: true, ca: fleet.certificates, servername: 'fleet.example' });
    this.#sends = { plain: plainSend(fleet, this.#agent), verified: verifiedSend(fleet) };
    this.#running = this.#kinds.flatMap((kind) =>
      Array.from({ length: options.clients }, (_, index) => this.#client(kind, index)),
    );
  }

  /** Milliseconds since the load began. */
  get now(): number {
    return performance.now() - this.#startedAt;
  }

  /** Resolves when this many requests that began after `since` have succeeded at each kind of client. */
  async succeeded(count: number, { since = 0, timeoutMs }: { since?: number; timeoutMs: number }): Promise<void> {
    const done = (kind: Outcome['client']) =>
      this.outcomes.filter(({ client, startedAt, usage }) => client === kind && startedAt >= since && usage).length;
    for (const deadline = this.now + timeoutMs; this.now < deadline; await sleep(50)) {
      if (this.#kinds.every((kind) => done(kind) >= count)) return;
    }
    const counts = this.#kinds.map((kind) => `${done(kind)} ${kind}`);
    throw new Error(`after ${timeoutMs} ms, ${counts.join(' and ')} requests succeeded`);
  }

  /** Ends the load when the running requests have ended. */
  async stop(): Promise<readonly Outcome[]> {
    this.#isOver = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
    return this.outcomes;
  }

  async #client(kind: Outcome['client'], index: number): Promise<void> {
    const caller = this.#fleet.callers[index % this.#fleet.callers.length]!;
    while (!this.#isOver) {
      const outcome = await this.#ask(kind, caller);
      this.outcomes.push(outcome);
      await sleep(outcome.usage === undefined ? pauseMs.failed : pauseMs.succeeded);
    }
  }

  async #ask(client: Outcome['client'], caller: Caller): Promise<Outcome> {
    const number = this.#count++;
    const startedAt = this.now;
    const isStream = number % 2 === 0;
    const body = JSON.stringify({
      ...{ model, max_tokens: this.#options.maxTokens ?? 48, temperature: 1, seed: number, stream: isStream },
      ...(isStream ? { stream_options: { include_usage: true } } : {}),
      messages: [{ role: 'user', content: this.#options.prompt(number) }],
    });
    let answer: Exchange | undefined;
    let [usage, code]: [Usage?, string?] = [];
    try {
      answer = await this.#sends[client](caller, body, AbortSignal.timeout(requestTimeoutMs));
      const text = await answer.text;
      usage = answer.status === 200 ? usageOf(text, isStream) : undefined;
      if (usage === undefined) code = codeOf(text);
    } catch (error) {
      code = codeOfError(error);
    }
    const requestId = answer?.header('x-request-id');
    const node = answer?.header('x-receipt-id')?.split('-')[1];
    return { client, startedAt, endedAt: this.now, status: answer?.status, requestId, node, usage, code };
  }
}

function plainSend(fleet: Fleet, agent: Agent): Send {
  const url = new URL('/v1/chat/completions', fleet.origin);
  return ({ key }, body, signal) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', host: 'fleet.example' },
        'content-length': String(Buffer.byteLength(body)),
      };
      const outgoing = request(url, { agent, method: 'POST', headers, signal }, (incoming) => {
        const text = incoming.toArray().then((pieces) => Buffer.concat(pieces).toString());
        // The caller awaits it later.
        text.catch(() => undefined);
        const header = (name: string) => incoming.headers[name]?.toString();
        resolve({ status: incoming.statusCode ?? 0, header, text });
      });
      outgoing.once('error', reject).end(body);
    });
}

function verifiedSend(fleet: Fleet): Send {
  const send = attestedFetch(simulatedPolicy, { roots: fleet.roots, seal: true, fleet: 'announced' });
  return async ({ key }, body, signal) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await send(`${fleet.origin}/v1/chat/completions`, { method: 'POST', headers, body, signal });
    const header = (name: string) => answer.headers.get(name) ?? undefined;
    return { status: answer.status, header, text: answer.text() };
  };
}

/** Of a complete answer only. */
function usageOf(text: string, isStream: boolean): Usage | undefined {
  if (!isStream) return JSON.parse(text).usage;
  if (!text.trimEnd().endsWith('data: [DONE]')) return undefined;
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => JSON.parse(line.slice('data: '.length)).usage).findLast((usage) => usage);
}

/** The code of an error's answer, or of the error event in a stream. */
function codeOf(text: string): string | undefined {
  return /"code":\s*"(ERR_\w+)"/.exec(text)?.[1];
}

function codeOfError(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') return one.code;
    if (one.name === 'TimeoutError') return 'TIMEOUT';
  }
  return undefined;
}
