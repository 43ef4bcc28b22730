/**
 * Loads a certificate that an authority issues for the key of this run. The key cannot leave the process, so the start prints a
 * certificate request, and the certificate's file is loaded when it appears or changes.
 */
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnTlsKey, TlsIdentity } from './tls.ts';

export interface IssuedChainOptions {
  readonly path: string;
  readonly key: OwnTlsKey;
  readonly pollMs: number;
  /** Called with a chain for this key, each time the file changes. */
  readonly onChain: (identity: TlsIdentity) => void;
  /** Called with the reason that a file is not used: it is for another key, or cannot be read. */
  readonly onRefused: (error: unknown) => void;
}

/** Larger files are refused. */
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

/** @returns a mark of the file, so that the same file is loaded once */
async function takeUp({ path, key, onChain, onRefused }: IssuedChainOptions, seen: string): Promise<string> {
  const file = await stat(path).catch(() => undefined);
  // The file does not exist until the authority has issued the certificate.
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
