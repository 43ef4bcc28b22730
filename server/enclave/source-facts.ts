/** Where the program came from, as whoever built its image wrote it down: `source.json` beside package.json. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceProvenance } from '@cloister/attestation/aci/report';
import { type Json, nullableTextOf, objectOf, parseStrictJson } from '@cloister/attestation/aci/strict-json';
import { ServerError } from '../http/errors.ts';
import { programFolder } from './build-facts.ts';

/**
 * What is written there is measured and shown, not checked: a tenant rebuilds the image from it and compares.
 * @returns all unknown where there is no such file · @throws {ServerError} ERR_START where it is not of its form
 */
export async function readSource(folder: string = programFolder): Promise<SourceProvenance> {
  const text = await readFile(join(folder, 'source.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return { repositoryUrl: undefined, commit: undefined, imageDigest: undefined };
  try {
    const json = objectOf(parseStrictJson(text, { what: 'source.json', charactersMax: 4096 }), 'source.json', {
      required: [],
      optional: ['repositoryUrl', 'commit', 'imageDigest'],
    });
    const member = (name: string) => nullableTextOf((json[name] ?? null) as Json, name);
    return {
      repositoryUrl: member('repositoryUrl'),
      commit: member('commit'),
      imageDigest: imageDigest(member('imageDigest')),
    };
  } catch (cause) {
    throw new ServerError('ERR_START', `source.json is not of its form: ${(cause as Error).message}`, { cause });
  }
}

function imageDigest(text: string | undefined): string | undefined {
  if (text === undefined || /^sha256:[0-9a-f]{64}$/.test(text)) return text;
  throw new TypeError('imageDigest must be "sha256:" and 64 lowercase hexadecimal digits');
}
