import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartFile, type PartPlan } from '../../../models/hub/part-file.ts';

let folder: string;
let plan: PartPlan;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloister-part-'));
  plan = { target: join(folder, 'tiny.gguf'), bytes: 1000, sha256: 'a'.repeat(64), segmentBytes: 100 };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Above the kernel's maximum process id. */
const nobody = 4_194_305;

async function openAtOnce(count: number): Promise<PartFile[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => PartFile.open(plan)));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ERR_PULL_RUNNING' });
  }
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

describe('the lock of a part', () => {
  it('is acquired by one of many concurrent callers', async () => {
    for (let round = 0; round < 20; round++) {
      const [part, ...more] = await openAtOnce(8);
      expect([part, more]).toEqual([expect.any(PartFile), []]);
      await part!.discard();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a process that died', `${nobody}\n`],
    ['a run that died in a container, whose next one has its process id', `${process.pid} of-another-run\n`],
  ])('is taken over from %s by one of many at most', async (_, owner) => {
    for (let round = 0; round < 100; round++) {
      await writeFile(`${plan.target}.part.lock`, owner);
      const parts = await openAtOnce(8);
      expect(parts.length).toBeLessThanOrEqual(1);
      const part = parts[0] ?? (await PartFile.open(plan));
      await expect(PartFile.open(plan)).rejects.toMatchObject({ code: 'ERR_PULL_RUNNING' });
      await part.discard();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not taken over while its owner is writing it, or while another process is taking it over', async () => {
    await writeFile(`${plan.target}.part.lock`, '');
    await expect(PartFile.open(plan)).rejects.toThrow(/delete .*\.part\.lock$/);
    await writeFile(`${plan.target}.part.lock`, `${nobody}\n`);
    await writeFile(`${plan.target}.part.lock.takeover`, `${process.pid}\n`);
    await expect(PartFile.open(plan)).rejects.toThrow(/delete .*\.part\.lock\.takeover$/);
  });
});
