/** Reads a backup in bounded memory, and refuses one that was changed or cut. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { AccountError } from '../base/errors.ts';
import { backupFormat } from './backup.ts';
import type { Summary } from './summary.ts';

/** Longest line: far above any row, since compute events are the largest. */
const lineBytesMax = 16 << 20;
/** How the last line begins; a row begins with a bracket. */
const endStart = '{"sha256":"';

export interface BackupHead {
  readonly migrations: Readonly<Record<string, string>>;
  readonly summary: Summary;
}

/** Reads the whole file and checks its digest. @throws {AccountError} ERR_STORE */
export async function checkBackup(path: string): Promise<BackupHead> {
  const digest = createHash('sha256');
  let first: unknown;
  let end: string | undefined;
  for await (const line of readLines(path)) {
    if (end !== undefined) throw corrupt('lines follow its end');
    if (line.startsWith(endStart)) {
      end = line;
      continue;
    }
    first ??= parse(line);
    digest.update(line).update('\n');
  }
  const head = first as { format?: unknown; migrations?: Record<string, string> } | undefined;
  if (head?.format !== backupFormat || typeof head.migrations !== 'object')
    throw corrupt('it is no backup of accounts');
  if (end === undefined) throw corrupt('its end is missing');
  const { sha256, summary } = parse(end) as { sha256: unknown; summary: Summary };
  if (sha256 !== digest.digest('hex')) throw corrupt('its digest does not match');
  return { migrations: head.migrations, summary };
}

/** Reads the lines between the first and the last of a file that `checkBackup` has accepted. */
export async function* readBackup(path: string): AsyncGenerator<unknown> {
  let isFirst = true;
  for await (const line of readLines(path)) {
    if (!isFirst && !line.startsWith(endStart)) yield parse(line);
    isFirst = false;
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = file.pipe(createGunzip());
  file.on('error', (error) => text.destroy(error));
  let pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let start = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
        yield Buffer.concat([...pieces, chunk.subarray(start, at)]).toString('utf8');
        [pieces, bytes, start] = [[], 0, at + 1];
      }
      pieces.push(chunk.subarray(start));
      bytes += chunk.length - start;
      if (bytes > lineBytesMax) throw corrupt('a line is too long');
    }
  } catch (error) {
    if (error instanceof AccountError) throw error;
    throw corrupt((error as Error).message);
  }
  if (bytes > 0) throw corrupt('its end is missing');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw corrupt('a line is not JSON');
  }
}

/** The error for a file that is not a complete backup. */
export function corrupt(reason: string): AccountError {
  return new AccountError('ERR_STORE', `the backup cannot be restored: ${reason}`);
}
