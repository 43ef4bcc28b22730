/** The real server in a separate process, on a free port, with a temporary state folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';

const cliPath = join(import.meta.dirname, '../../../cli/cloister.mjs');

export interface Listening {
  readonly baseUrl: string;
  readonly metricsUrl: string;
  readonly certificatePath: string;
  readonly apiKey: string;
  /** A link that signs in once. */
  readonly pagesUrl: string;
  readonly models: readonly string[];
}

export interface RunningServerOptions {
  readonly stateDir?: string;
  readonly cli?: string;
  readonly through?: readonly string[];
}

export class RunningServer {
  readonly stateDir: string;
  readonly process: ChildProcess;
  /** The output on standard output, which includes the key, and on standard error. */
  output = '';
  log = '';
  listening!: Listening;
  readyMs = Number.NaN;

  /** @param options.cli `cloister.mjs` of another checkout · @param options.through a command that runs the server */
  constructor(flags: readonly string[], { stateDir, cli = cliPath, through = [] }: RunningServerOptions = {}) {
    this.stateDir = stateDir ?? mkdtempSync(join(tmpdir(), 'cloister-test-'));
    const common = ['--port', '0', '--metrics-port', '0', '--state-dir', this.stateDir, '--threads', '2', '--json'];
    const [program, ...args] = [...through, process.execPath, cli, 'serve', ...common, ...flags];
    this.process = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.process.stderr!.on('data', (chunk: Buffer) => (this.log += chunk));
  }

  /** Resolves when every model is loaded. @throws with the output if the server exits earlier */
  async ready(): Promise<this> {
    for await (const line of createInterface({ input: this.process.stdout! })) {
      this.output += `${line}\n`;
      const { event, ...facts } = JSON.parse(line);
      if (event === 'listening') this.listening = facts;
      if (event !== 'ready') continue;
      this.readyMs = facts.ms;
      this.process.stdout!.on('data', (chunk: Buffer) => (this.output += chunk)).resume();
      trust(readFileSync(this.listening.certificatePath, 'utf8'));
      return this;
    }
    throw new Error(`the server ended before it was ready:\n${this.output}${this.log}`);
  }

  get port(): number {
    return Number(new URL(this.listening.baseUrl).port);
  }

  get certificate(): string {
    return readFileSync(this.listening.certificatePath, 'utf8');
  }

  /** Sends a POST request with this server's key. */
  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.listening.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.listening.apiKey}`,
        'content-type': 'application/json',
        ...(path.startsWith('/messages') && { 'anthropic-version': '2023-06-01' }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  }

  /** @returns the exit code; null if a signal ended it */
  async signalAndWait(signal: NodeJS.Signals): Promise<number | null> {
    const { exitCode, signalCode } = this.process;
    const exited = exitCode === null && signalCode === null ? once(this.process, 'exit') : undefined;
    this.process.kill(signal);
    await exited;
    return this.process.exitCode;
  }

  /** The contents of all files below the state folder as text, except for files with these names. */
  stateFiles({ except = [] }: { except?: readonly string[] } = {}): string {
    return readdirSync(this.stateDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !except.includes(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
  }

  async stop(): Promise<void> {
    await this.signalAndWait('SIGKILL');
    rmSync(this.stateDir, { recursive: true, force: true });
  }
}

export async function startServer(flags: readonly string[] = []): Promise<RunningServer> {
  return new RunningServer(flags).ready();
}

/** Adds a trusted certificate to this process's `fetch`. */
function trust(certificate: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
}
