import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../server/enclave/source-facts.ts';

const imageDigest = `sha256:${'ab'.repeat(32)}`;
const unknown = { repositoryUrl: undefined, commit: undefined, imageDigest: undefined };

function folderWith(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-source-'));
  if (text !== undefined) writeFileSync(join(folder, 'source.json'), text);
  return folder;
}

describe('the source of the program', () => {
  it('is read from the file that the image builder wrote next to it', async () => {
    const source = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest };
    expect(await readSource(folderWith(JSON.stringify(source)))).toEqual(source);
    expect(await readSource(folderWith('{"commit":"c0ffee","imageDigest":null}'))).toEqual({
      ...unknown,
      commit: 'c0ffee',
    });
  });

  it('is unknown if the file does not exist', async () => {
    expect(await readSource(folderWith())).toEqual(unknown);
  });

  it.each(['{', '[]', '{"comit":"x"}', '{"commit":1}', '{"commit":"a","commit":"b"}', '{"imageDigest":"latest"}'])(
    'stops the start if it is malformed: %s',
    async (text) => {
      await expect(readSource(folderWith(text))).rejects.toMatchObject({ code: 'ERR_START' });
    },
  );
});
