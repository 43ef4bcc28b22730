/**
 * `cloister compute serve` as a separate process, which can be killed and started again on the same state folder, and
 * whose clock can be moved on.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');

/** Longer than the service waits for an engine that creates a pod. */
const answerMsMax = 270_000;

export interface ComputeAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  readonly body: any;
}

export class ComputeServer {
  readonly #folder: string;
  readonly #file: string;
  #child: ChildProcess | undefined;
  #log = '';
  #clockAheadMs = 0;
  baseUrl = '';
  apiKey = '';

  /** @param file contents of the service's configuration file; its port is replaced by a free one */
  constructor(folder: string, file: { readonly service?: object; readonly [member: string]: unknown }) {
    this.#folder = folder;
    this.#file = join(folder, 'compute.json');
    writeFileSync(this.#file, JSON.stringify({ ...file, service: { ...file.service, port: 0 } }));
    this.moveClock(0);
  }

  /** Path of the server's certificate. */
  get certificatePath(): string {
    return join(this.#folder, 'state', 'compute-certificate.pem');
  }

  /** Its output. */
  get log(): string {
    return this.#log;
  }

  /** @returns once it listens */
  async start(): Promise<void> {
    const args = [
      'cli/cloister.mjs',
      'compute',
      'serve',
      this.#file,
      '--json',
      '--state-dir',
      join(this.#folder, 'state'),
    ];
    const env = {
      ...process.env,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-ahead.ts')}`,
      CLOCK_AHEAD_FILE: this.#clockFile,
    };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'pipe' });
    this.#child = child;
    child.stderr.on('data', (chunk) => {
      this.#log += chunk;
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the server ended with ${code}: ${this.#log}`);
    });
    const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const [text] = await Promise.race([line, ended]);
    ended.catch(() => undefined);
    const { baseUrl, apiKey } = JSON.parse(text);
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
  }

  /** Kills the process as `kill -9` does, without a shutdown. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Advances the clock of the service, also while it is stopped. */
  moveClock(ms: number): void {
    this.#clockAheadMs += ms;
    // Atomic: a reader sees the old or the new number.
    writeFileSync(`${this.#clockFile}.new`, String(this.#clockAheadMs));
    renameSync(`${this.#clockFile}.new`, this.#clockFile);
  }

  /** The time of the server's clock, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Runs another command of the program on the same state folder. @returns its output */
  async run(...args: string[]): Promise<string> {
    const all = ['cli/cloister.mjs', ...args, '--state-dir', join(this.#folder, 'state')];
    return (await promisify(execFile)(process.execPath, all, { cwd: root })).stdout;
  }

  /** Queries the server's database. @returns the rows */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary rows
  rows(query: string, ...values: SQLInputValue[]): any[] {
    const database = new DatabaseSync(join(this.#folder, 'state', 'accounts.sqlite'), { readOnly: true });
    try {
      return database.prepare(query).all(...values);
    } finally {
      database.close();
    }
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    {
      key = this.apiKey,
      headers = {},
      signal,
    }: { key?: string; headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
  ): Promise<ComputeAnswer> {
    const answered = Promise.withResolvers<ComputeAnswer>();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = https.request(`${this.baseUrl}${path}`, {
      method,
      ca: readFileSync(this.certificatePath),
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        'x-api-key': key,
        ...headers,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    request.on('error', answered.reject);
    request.setTimeout(answerMsMax, () => request.destroy(new Error('the server did not answer')));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', answered.reject);
      response.on('end', () => {
        answered.resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    request.end(text);
    return await answered.promise;
  }

  get #clockFile(): string {
    return join(this.#folder, 'clock-ahead');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
