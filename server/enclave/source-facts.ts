/** Reads the source of the program that the builder of its image recorded: `source.json` next to package.json. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceProvenance } from '@cloister/attestation/aci/report';
import { type Json, nullableTextOf, objectOf, parseStrictJson } from '@cloister/attestation/aci/strict-json';
import { ServerError } from '../http/errors.ts';
import { programFolder } from './build-facts.ts';

/**
 * The contents are measured and published but not checked: a tenant can rebuild the image from them and compare.
 * @returns unknown values if the file is missing · @throws {ServerError} ERR_START if it is malformed
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
    throw new ServerError('ERR_START', `source.json is malformed: ${(cause as Error).message}`, { cause });
  }
}

function imageDigest(text: string | undefined): string | undefined {
  if (text === undefined || /^sha256:[0-9a-f]{64}$/.test(text)) return text;
  throw new TypeError('imageDigest must be "sha256:" and 64 lowercase hexadecimal digits');
}
