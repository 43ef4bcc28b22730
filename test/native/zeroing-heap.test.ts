import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

const heap = join(import.meta.dirname, '../../native/build/zeroing-heap.so');

/** Its constructor runs first: the second look-up frees the message of the first one, inside of `dlsym`. */
const otherLibrary = `
#include <dlfcn.h>
__attribute__((constructor)) static void look_up() {
  dlsym(RTLD_NEXT, "a_function_that_does_not_exist");
  dlsym(RTLD_NEXT, "another_one");
}`;

it('the preloaded heap starts next to a library whose constructor looks up functions that do not exist', async () => {
  await using folder = await scratchFolder();
  const [source, library] = ['other.c', 'other.so'].map((name) => join(folder.path, name)) as [string, string];
  writeFileSync(source, otherLibrary);
  execFileSync('gcc', ['-D_GNU_SOURCE', '-shared', '-fPIC', '-o', library, source]);
  const env = { ...process.env, LD_PRELOAD: `${heap}:${library}` };
  expect(execFileSync('echo', ['started'], { env, encoding: 'utf8' })).toBe('started\n');
});
