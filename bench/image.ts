/**
 * What the confidential VM's image weighs and how long it takes under software emulation: `node bench/image.ts [folder] [runs]`.
 * Boots with the demo chat model alone, two processors and 1 GiB; memory is what the guest has touched when it is ready.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineOf } from '../server/guest-image/artifacts.ts';
import { ConsoleLines } from '../server/guest-image/console.ts';
import { writeConfigDisk } from '../server/guest-image/disks.ts';
import { qemuArguments } from '../server/guest-image/qemu.ts';

const mebibyte = 2 ** 20;
const blockBytes = 512;
const settings = { model: 'cloister-demo-TEE', startKey: 'off', sequences: 4, threads: 2, gpu: 'off' };

const [folder = '.cloister/image', runs = '3'] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'cloister-bench-image-'));
try {
  for (const name of readdirSync(folder)) {
    console.log(`${name.padEnd(20)} ${(statSync(join(folder, name)).size / mebibyte).toFixed(1)} MiB`);
  }
  for (let run = 1; run <= Number(runs); run++) {
    const { initMs, listeningMs, readyMs, touchedBytes } = await boot(folder);
    const times = [initMs, listeningMs, readyMs].map((ms) => (ms / 1000).toFixed(1));
    console.log(
      `run ${run}: init ${times[0]} s, listening ${times[1]} s, ready ${times[2]} s, ${Math.round(touchedBytes / mebibyte)} MiB`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true });
}

/** Times since QEMU was started. */
async function boot(image: string) {
  const config = join(scratch, 'config.img');
  writeConfigDisk(config, { settings: Buffer.from(JSON.stringify(settings)) });
  const ram = join(scratch, 'ram');
  const words = qemuArguments({
    accelerator: 'tcg',
    folder: image,
    cmdline: commandLineOf(image, { config }),
    vcpus: 2,
    memory: '1G',
    disks: { config },
    forwards: [],
  });
  words[words.indexOf('-machine') + 1] += ',memory-backend=ram';
  words.push('-object', `memory-backend-file,id=ram,size=1G,mem-path=${ram},share=on`);
  const start = performance.now();
  const machine = spawn('qemu-system-x86_64', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(machine, 'close');
  const seen = new Map<string, number>();
  const ready = Promise.withResolvers<void>();
  const lines = new ConsoleLines();
  machine.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of lines.add(text)) {
      const event = line.startsWith('cloister:') ? 'init' : /^\{"event":"(\w+)"/.exec(line)?.[1];
      if (event !== undefined && !seen.has(event)) seen.set(event, performance.now() - start);
      if (event === 'ready') ready.resolve();
    }
  });
  await Promise.race([ready.promise, ended]);
  const touchedBytes = statSync(ram).blocks * blockBytes;
  machine.kill('SIGKILL');
  await ended;
  rmSync(ram);
  const at = (event: string) => seen.get(event) ?? Number.NaN;
  return { initMs: at('init'), listeningMs: at('listening'), readyMs: at('ready'), touchedBytes };
}
