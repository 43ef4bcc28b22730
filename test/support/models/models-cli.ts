/** Runs `cloister models` with a fake hub, a temporary folder, and a clock that never waits. */
import { join } from 'node:path';
import { run } from '../../../cli/models/models.ts';
import { readCatalogue } from '../../../models/catalogue/catalogue.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { startFakeHub } from './fake-hub.ts';

/**
 * `await using models = await startModelsCli()`
 * @param options.isNamed whether CLOISTER_CATALOGUE names the catalogue of the state folder; it then is the only one
 */
export async function startModelsCli({ isNamed = true }: { isNamed?: boolean } = {}) {
  const [hub, folder] = await Promise.all([startFakeHub(), scratchFolder()]);
  const catalogue = join(folder.path, 'catalogue.json');
  const env = {
    ...(isNamed && { CLOISTER_CATALOGUE: catalogue }),
    CLOISTER_STATE_DIR: folder.path,
    CLOISTER_HUB: hub.url,
  };
  const clock = { now: () => 0, sleep: async () => {}, random: () => 0 };
  return {
    hub,
    folder: folder.path,
    catalogue,
    /** Reference of the file `tiny.gguf` on the hub. */
    source: `hf:${hub.repository}:tiny.gguf`,
    async cloister(...args: string[]) {
      let [out, err] = ['', ''];
      const stdout = { write: (text: string) => (out += text) };
      const stderr = { write: (text: string) => (err += text) };
      const io = { stdout, stderr, env, cwd: folder.path };
      const code = await run(args, io, { signal: new AbortController().signal, clock });
      return { code, out, err };
    },
    entry: async () => (await readCatalogue(catalogue)).models[0]!,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
