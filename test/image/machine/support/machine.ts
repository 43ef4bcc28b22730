/** Boots an image in QEMU as `cloister image run` would, and reads its console. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ConsoleLines } from '../../../../image/console.ts';
import { type MachineOptions, qemuArguments } from '../../../../image/qemu.ts';
import { freePort } from '../../../support/free-port.ts';

/** Limit for emulation on a busy machine; a boot usually takes a tenth of it. */
const bootTimeoutMs = 240_000;

export interface StartOptions extends Pick<MachineOptions, 'folder' | 'boot'> {
  readonly memory?: string;
  /** Replaces the values of QEMU's arguments by name. */
  readonly replace?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
  readonly program?: string;
}

export class Machine {
  readonly lines: string[] = [];
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #isOver = false;
  #changed = Promise.withResolvers<void>();

  private constructor(machine: ChildProcess, port: number) {
    this.#process = machine;
    this.port = port;
    // Do not leave a machine running after an aborted test run.
    const kill = () => void machine.kill('SIGKILL');
    process.once('exit', kill);
    const console = new ConsoleLines();
    const take = (lines: readonly string[]) => {
      this.lines.push(...lines);
      this.#tell();
    };
    machine.stdout!.setEncoding('utf8').on('data', (text: string) => take(console.add(text)));
    machine.stderr!.setEncoding('utf8').on('data', (text: string) => take([`qemu: ${text.trimEnd()}`]));
    this.#ended = once(machine, 'close').then(() => {
      process.off('exit', kill);
      this.#isOver = true;
      take(console.end());
    });
  }

  static async start({ memory = '1G', replace = {}, more = [], program, ...options }: StartOptions): Promise<Machine> {
    const port = await freePort();
    const words = qemuArguments({
      ...options,
      accelerator: 'tcg',
      vcpus: 1,
      memory,
      forwards: [{ hostAddress: '127.0.0.1', hostPort: port, guestPort: 8443 }],
    });
    for (const [name, value] of Object.entries(replace)) words[words.indexOf(name) + 1] = value;
    return new Machine(
      spawn(program ?? 'qemu-system-x86_64', [...words, ...more], { stdio: ['ignore', 'pipe', 'pipe'] }),
      port,
    );
  }

  get origin(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns the first matching line · @throws with the console's text if the machine ends or the timeout expires first */
  async until(pattern: RegExp): Promise<string> {
    const deadline = AbortSignal.timeout(bootTimeoutMs);
    const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }));
    for (;;) {
      const found = this.lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      if (this.#isOver || deadline.aborted) throw new Error(`no ${pattern} on the console:\n${this.lines.join('\n')}`);
      await Promise.race([this.#changed.promise, late]);
    }
  }

  /** Waits for an event of the server's --json output. */
  async event(name: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.until(new RegExp(`^\\{"event":"${name}"`))) as Record<string, unknown>;
  }

  /** Waits until the machine has powered off. @returns its console */
  async over(): Promise<string> {
    const deadline = AbortSignal.timeout(bootTimeoutMs);
    deadline.addEventListener('abort', () => this.#process.kill('SIGKILL'), { once: true });
    await this.#ended;
    if (deadline.aborted) throw new Error(`the machine did not power off:\n${this.lines.join('\n')}`);
    return this.lines.join('\n');
  }

  /** Ends the machine without a shutdown. */
  async cutPower(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
