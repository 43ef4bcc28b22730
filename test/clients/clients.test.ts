/** Clients, unmodified, against one real server. Each runs as its users run it; `results.json` records what works. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { type Area, models, type Place, type TestedClient } from './client.ts';
import { type ClientResult, lockedVersion, writeResults } from './results.ts';
import { writeScriptedModel } from './scripted-model.ts';

const modules = import.meta.dirname;
const isInstalled = existsSync(join(modules, 'node_modules/.installed-lock'));
if (!isInstalled)
  console.warn('the suite clients is skipped: run .ci/install-clients.sh, which needs the npm registry');
const clients: readonly TestedClient[] = isInstalled ? (await import('./sdks/all.ts')).clients : [];

let server: RunningServer;
let scratch: string;
let checksRun = 0;
const outcomes = new Map<string, Partial<Record<Area, boolean>>>();

beforeAll(async () => {
  if (!isInstalled) return;
  scratch = mkdtempSync(join(tmpdir(), 'cloister-clients-'));
  const scripted = join(scratch, 'scripted.gguf');
  writeScriptedModel(scripted);
  const served = [models.chat, models.embedding, models.image, scripted].join();
  // Coding agents send tens of thousands of tokens; the demo model's context stays 4,096.
  const forAgents = ['--context', '131072', '--sequences', '2'];
  server = await startServer(['--simulate-tdx', '--model', served, ...forAgents]);
});

afterAll(async () => {
  await server?.stop();
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  const isComplete = clients.length > 0 && checksRun === clients.reduce((sum, { checks }) => sum + checks.length, 0);
  if (process.env.RECORD_CLIENTS !== '1') return;
  if (!isComplete) throw new Error('the results are not recorded: some checks did not run');
  writeResults(clients.map(result));
});

function result({ name, package: packageName }: TestedClient): ClientResult {
  return {
    client: name,
    package: packageName,
    version: lockedVersion(packageName),
    works: outcomes.get(name) ?? {},
  };
}

let folders = 0;
function place(): Place {
  const { baseUrl, apiKey, certificatePath } = server.listening;
  const { origin } = new URL(baseUrl);
  const folder = join(scratch, String(folders++));
  mkdirSync(folder);
  return { origin, openAiUrl: `${origin}/openai/v1`, apiKey, certificatePath, folder };
}

it('runs the packages of the lock file', () => {
  const lock = (name: string) => readFileSync(join(modules, name), 'utf8');
  if (isInstalled) expect(lock('node_modules/.installed-lock')).toBe(lock('package-lock.json'));
});

describe.skipIf(!isInstalled).each(clients)('$name ($package)', ({ name, checks, isMissing }) => {
  const works: Partial<Record<Area, boolean>> = {};
  outcomes.set(name, works);
  for (const { proves, title, run, timeoutMs } of checks) {
    it.skipIf(isMissing)(title, { ...(timeoutMs !== undefined && { timeout: timeoutMs }) }, async () => {
      checksRun += 1;
      const before = proves.map((area) => works[area] ?? true);
      for (const area of proves) works[area] = false;
      await run(place());
      for (const [index, area] of proves.entries()) works[area] = before[index]!;
    });
  }
});
