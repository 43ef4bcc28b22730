/** Runs a file of `examples/` in a process of its own, with the packages of this suite. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../client.ts';

const examples = join(import.meta.dirname, '../../../examples');
/** Below `test/clients`, so that packages resolve to those of its lock file. */
const copies = join(import.meta.dirname, '../build');
const timeoutMs = 60_000;

/**
 * @param name of a TypeScript file that imports packages only · @param env in addition to address, key and certificate
 * @returns what it prints · @throws if it fails
 */
export async function runExample(
  name: string,
  { openAiUrl, origin, apiKey, certificatePath }: Place,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  mkdirSync(copies, { recursive: true });
  copyFileSync(join(examples, name), join(copies, name));
  const baseUrl = name.includes('messages') ? `${origin}/v1` : openAiUrl;
  const { stdout } = await promisify(execFile)(process.execPath, [join(copies, name)], {
    env: { PATH: process.env.PATH, BASE_URL: baseUrl, API_KEY: apiKey, CERTIFICATE: certificatePath, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  return stdout;
}
