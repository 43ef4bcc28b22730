/** The guest's threads load the program from sources whose types the image's build has removed. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plainFolder, writePlainSources } from '../../image/plain-sources.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const root = join(import.meta.dirname, '../..');
const hook = 'image/guest/plain-sources.mjs';

/** Writes a program with a thread; both fail if they compile WebAssembly, as Node's type stripper does. */
const program = {
  'cli/guest.ts': `
    import { Worker } from 'node:worker_threads';
    import { greet, type Greeting } from '@cloister/runtime/greet';
    const greeting: Greeting = greet('main');
    console.log(JSON.stringify(greeting));
    new Worker(new URL('../runtime/thread.ts', import.meta.url));
  `,
  'runtime/greet.ts': `
    export interface Greeting { readonly who: string; readonly isPlain: boolean }
    export const greet = (who: string): Greeting => ({ who, isPlain: !String(greet).split('=>')[0].includes(':') });
  `,
  'runtime/thread.ts': `
    import { greet } from './greet.ts';
    console.log(JSON.stringify(greet('thread') satisfies object));
  `,
};

function writeProgram(app: string): void {
  const refusing = `WebAssembly.Module = class { constructor() { throw new Error('WebAssembly is compiled'); } };\n`;
  for (const [path, text] of Object.entries({
    ...program,
    'package.json': '{"type":"module"}',
    'runtime/package.json': '{"type":"module","exports":{"./greet":"./greet.ts"}}',
    'refuse.cjs': refusing,
  })) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
  mkdirSync(join(app, 'node_modules/@cloister'), { recursive: true });
  symlinkSync('../../runtime', join(app, 'node_modules/@cloister/runtime'));
  mkdirSync(dirname(join(app, hook)), { recursive: true });
  copyFileSync(join(root, hook), join(app, hook));
  writePlainSources(app);
}

/** Starts the program as the guest's init does. */
async function start(app: string): Promise<string> {
  const args = ['--require', join(app, 'refuse.cjs'), '--import', join(app, hook), 'cli/guest.ts'];
  return (await promisify(execFile)(process.execPath, args, { cwd: app })).stdout;
}

it('removes all types and keeps lines and columns', async () => {
  await using app = await scratchFolder();
  writeProgram(app.path);
  const plain = readFileSync(join(app.path, plainFolder, 'runtime/greet.ts'), 'utf8');
  expect(plain).not.toMatch(/interface|: string\)/);
  const lengths = (text: string) => text.split('\n').map((line) => line.length);
  expect(lengths(plain)).toEqual(lengths(program['runtime/greet.ts']));
});

it('is loaded by every thread, without compiling a type stripper', async () => {
  await using app = await scratchFolder();
  writeProgram(app.path);
  const said = (await start(app.path))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(said).toEqual([
    { who: 'main', isPlain: true },
    { who: 'thread', isPlain: true },
  ]);
});

it('stops the start if a file is missing', async () => {
  await using app = await scratchFolder();
  writeProgram(app.path);
  rmSync(join(app.path, plainFolder, 'runtime/greet.ts'));
  await expect(start(app.path)).rejects.toThrow(/ENOENT.*greet\.ts/);
});
