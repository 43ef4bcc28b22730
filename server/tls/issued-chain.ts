/**
 * A certificate that an authority issues for the key of this run. The key cannot leave the process, so the certificate has
 * to come to it: the request is printed at start, and the file is taken up when it appears or changes.
 */
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnTlsKey, TlsIdentity } from './tls.ts';

export interface IssuedChainOptions {
  readonly path: string;
  readonly key: OwnTlsKey;
  readonly pollMs: number;
  /** With a chain that is for this key, as often as the file changes. */
  readonly onChain: (identity: TlsIdentity) => void;
  /** With what keeps the file from being used: it is for another key, or cannot be read. */
  readonly onRefused: (error: unknown) => void;
}

/** Larger files are no chains. */
const chainBytesMax = 64 * 1024;

/** Runs until `signal` aborts; never rejects. */
export async function followIssuedChain(
  options: IssuedChainOptions,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let seen = '';
  while (!signal.aborted) {
    seen = await takeUp(options, seen);
    await sleep(options.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** @returns what was seen of the file, so that the same file is taken up once */
async function takeUp({ path, key, onChain, onRefused }: IssuedChainOptions, seen: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  // Until the authority has answered there is none.
  if (file === undefined) return seen;
  const mark = `${file.mtimeMs} ${file.size} ${file.ino}`;
  if (mark === seen) return seen;
  try {
    if (file.size > chainBytesMax) throw new RangeError(`${path} has over ${chainBytesMax} bytes`);
    onChain(key.withChain(await readFile(path, 'utf8')));
  } catch (error) {
    onRefused(error);
  }
  return mark;
}
