/**
 * Measures the size of the confidential VM's image, and its boot time and memory under software emulation: `node
 * bench/image.ts`, after `cloister image build`. Boots with only the demo chat model, two processors and 1 GiB. Memory is what
 * the guest has touched so far, including its page cache, and so an upper bound of its need; idle is 20 seconds after
 * readiness. Results are saved after each boot, so that an interrupted run keeps them; three boots end within 400 seconds, or
 * the bench names those that did not.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineOf } from '../image/artifacts.ts';
import { ConsoleLines } from '../image/console.ts';
import { writeConfigDisk } from '../image/disks.ts';
import { qemuArguments } from '../image/qemu.ts';
import { readOptions } from './command-line.ts';
import { sharesOfInputs } from './image-inputs.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds } from './process-usage.ts';
import { type Case, type Results, type Sample, saveResults } from './results.ts';
import { renderTables } from './tables.ts';

const help = `node bench/image.ts [options]
  --folder <dir>        folder of the image [.cloister/image]
  --repeats <count>     number of boots [3]
`;
const qemu = 'qemu-system-x86_64';
const megabyte = 1e6;
/** Smaller files, such as digests, get no row. */
const shownBytesMin = 100_000;
const idleMs = 20_000;
/** Time limit of all boots together: a quick one leaves its time to the others. */
const bootsMs = 390_000;
const settings = { model: 'cloister-demo-TEE', startKey: 'off', sequences: 4, threads: 2, gpu: 'off' };

const { folder, repeats } = readOptions(help, {
  folder: { type: 'string', default: '.cloister/image' },
  repeats: { type: 'string', default: '3' },
});
if (!existsSync(join(folder, 'rootfs.img'))) throw new Error(`no image in ${folder}: npx cloister image build`);
const conditions = describeMachine();
const date = new Date().toISOString();
const qemuVersion = execFileSync(qemu, ['--version'], { encoding: 'utf8' }).split('\n')[0]!;
const scratch = mkdtempSync(join(tmpdir(), 'cloister-bench-image-'));
// An interrupted run stops its virtual machine too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => rmSync(scratch, { recursive: true }));

const weights = weigh(folder);
const boots: Sample[] = [];
const end = performance.now() + bootsMs;
for (let run = 1; run <= Number(repeats); run++) {
  const shareMs = Math.round((end - performance.now()) / (Number(repeats) - run + 1));
  boots.push(await boot(folder, AbortSignal.timeout(shareMs - idleMs)));
  console.error(`run ${run}: ${JSON.stringify(boots.at(-1))}`);
  save();
}
console.log(renderTables(results()));
console.error(save());

function results(): Results {
  const label = 'demo chat model, 2 processors, 1 GiB';
  const booted: Case = { scenario: 'boot, emulated in software', label, samples: { cloister: boots } };
  return {
    name: 'image',
    date,
    quick: false,
    machine: conditions,
    settings: { ...settings, runs: boots.length },
    servers: { qemu: [qemuVersion] },
    cases: [...weights, booted],
  };
}

/** @returns where they are */
function save(): string {
  return saveResults(results());
}

/** The size of every large file of the image, of all files together, and of every input of the root. */
function weigh(image: string): Case[] {
  const sizes = readdirSync(image).map((name) => [name, statSync(join(image, name)).size] as const);
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const shares = sharesOfInputs(readFileSync(join(image, 'rootfs.img'))).filter(({ bytes }) => bytes >= shownBytesMin);
  const models = shares.find(({ input }) => input === 'demo models')?.storedBytes ?? 0;
  const files = [
    ...sizes.filter(([, bytes]) => bytes >= shownBytesMin),
    ['all', all] as const,
    ['all without the demo models', all - models] as const,
  ].map(
    ([label, bytes]): Case => ({ scenario: 'files', label, samples: { cloister: [{ megabytes: bytes / megabyte }] } }),
  );
  const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
  const inputs = shares.map(({ input, bytes, storedBytes }): Case => {
    const sample = {
      megabytes: storedBytes / megabyte,
      unpackedMegabytes: bytes / megabyte,
      unpackedShare: bytes / total,
    };
    return { scenario: 'inputs of the root', label: input, samples: { cloister: [sample] } };
  });
  return [...files, ...inputs];
}

/** Times since QEMU was started. @param late called when waiting any longer is pointless */
async function boot(image: string, late: AbortSignal): Promise<Sample> {
  const config = join(scratch, 'config.img');
  writeConfigDisk(config, { settings: Buffer.from(JSON.stringify(settings)) });
  const words = qemuArguments({
    accelerator: 'tcg',
    folder: image,
    boot: { method: 'direct', cmdline: commandLineOf(image, { config }), disks: { config } },
    vcpus: 2,
    memory: '1G',
    forwards: [],
  });
  words[words.indexOf('-machine') + 1] += ',memory-backend=ram';
  words.push('-object', 'memory-backend-memfd,id=ram,size=1G,share=on');
  const start = performance.now();
  const guest = spawn(qemu, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(guest, 'close');
  const kill = () => void guest.kill('SIGKILL');
  process.once('exit', kill);
  try {
    const seen = await untilReady(guest, { start, late });
    const readyMegabytes = touchedMegabytes(guest.pid!);
    const cpuBefore = cpuSeconds(guest.pid!);
    await wait(idleMs);
    const idleCpuShare = ((cpuSeconds(guest.pid!) - cpuBefore) * 1000) / idleMs;
    const at = (event: string) => seen.get(event)! / 1000;
    const times = { initS: at('init'), listeningS: at('listening'), readyS: at('ready') };
    return { ...times, readyMegabytes, idleMegabytes: touchedMegabytes(guest.pid!), idleCpuShare };
  } finally {
    process.off('exit', kill);
    kill();
    await ended;
  }
}

/**
 * @returns the time at which each event first appeared on the console · @throws {Error} with the console's output if the
 *   machine never becomes ready
 */
async function untilReady(
  machine: ChildProcess,
  { start, late }: { start: number; late: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const ready = Promise.withResolvers<void>();
  const all: string[] = [];
  const lines = new ConsoleLines();
  machine.stdout!.setEncoding('utf8').on('data', (text: string) => {
    for (const line of lines.add(text)) {
      all.push(line);
      const event = line.startsWith('cloister:') ? 'init' : /^\{"event":"(\w+)"/.exec(line)?.[1];
      if (event !== undefined && !seen.has(event)) seen.set(event, performance.now() - start);
      if (event === 'ready') ready.resolve();
    }
  });
  const over = Promise.race([once(machine, 'close'), once(late, 'abort')]);
  await Promise.race([ready.promise, over]);
  if (!seen.has('ready')) throw new Error(`the machine was never ready:\n${all.join('\n')}`);
  return seen;
}

/** Guest memory that was read or written; QEMU maps it as shared memory. */
function touchedMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^RssShmem:\s+(\d+) kB/m.exec(status)![1]) * 1024) / megabyte;
}
