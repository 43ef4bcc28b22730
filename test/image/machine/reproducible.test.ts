/** The image's bytes depend only on its sources and locked inputs, not on the time or folder of the build. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildAgain } from './support/build.ts';
import { image, scratch } from './support/given.ts';

if (image?.isOwn === false) console.log('The image is not built a second time: it was given, not built here.');

describe.skipIf(image?.isOwn !== true)('the image, built a second time from its locked inputs', () => {
  it('is identical byte for byte', () => {
    const folder = join(scratch, 'again');
    expect(buildAgain(folder)).toBeUndefined();
    const sums = readFileSync(join(image!.folder, 'SHA256SUMS'), 'utf8');
    const again = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(again, 'other bytes; or were the sources edited meanwhile?').toBe(sums);
    for (const line of sums.trim().split('\n')) {
      const [sha256, name] = line.split(/\s+/) as [string, string];
      expect([name, sha256Of(join(folder, name))]).toEqual([name, sha256]);
    }
  });
});

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
