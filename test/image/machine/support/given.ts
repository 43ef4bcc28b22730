/** Shared by the image's tests: the image, a configuration disk, and a client that accepts any certificate. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { writeConfigDisk } from '../../../../image/disks.ts';
import type { BuiltImage } from './build.ts';

const given = inject('image');

/** Undefined if no image is available; the reason was printed. */
export const image: BuiltImage | undefined = typeof given === 'string' ? undefined : given;

export const scratch = mkdtempSync(join(tmpdir(), 'cloister-image-'));

/**
 * One small model on two threads, and a key on the console, since these guests process no real prompts. Agents' prompts are
 * not precomputed, which would double the start time under emulation.
 */
export const settings = {
  model: 'cloister-demo-TEE',
  startKey: 'on',
  sequences: 2,
  threads: 2,
  gpu: 'off',
  prefixCacheMb: 0,
};

/** @returns the path of a configuration disk with these settings */
export function configDisk(name: string, changes: object = {}): string {
  const path = join(scratch, name);
  writeConfigDisk(path, { settings: Buffer.from(JSON.stringify({ ...settings, ...changes })) });
  return path;
}

/** @returns the path of a copy of `bytes` with one bit flipped */
export function flipped(name: string, bytes: Buffer, at: number): string {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  const path = join(scratch, name);
  writeFileSync(path, copy);
  return path;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Chunks of the body as they arrived. */
  readonly chunks: number;
}

/** Sends a request over TLS without verifying the certificate, which these tests do not check. */
export function ask(url: string, { key, body }: { key?: string; body?: object } = {}): Promise<Answer> {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { method: body === undefined ? 'GET' : 'POST', headers, rejectUnauthorized: false, agent: false };
  const request = https.request(url, options, (response) => {
    let [text, chunks] = ['', 0];
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      chunks += 1;
    });
    response.on('end', () => resolve({ status: response.statusCode!, text, chunks }));
    response.on('error', reject);
  });
  request.on('error', reject);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** Builds a streamed request to the demo model. */
export function question(tokens: number): object {
  const messages = [{ role: 'user', content: 'What is two plus two?' }];
  return { model: settings.model, stream: true, max_tokens: tokens, messages };
}
