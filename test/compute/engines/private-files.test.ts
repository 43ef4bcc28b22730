/** Files that virsh reads: removed after use, or by the next cleanup if their process was killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LibvirtEngine } from '../../../compute/engines/libvirt/libvirt-engine.ts';
import { removeAbandonedFiles, withFiles } from '../../../compute/engines/libvirt/private-files.ts';
import { scriptVirsh } from '../../support/compute/scripted-virsh.ts';

const source = join(import.meta.dirname, '../../../compute/engines/libvirt/private-files.ts');
const usedMs = 480_000;

describe('files for virsh', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'cloister-private-files-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  const left = () => readdirSync(parent);
  const later = () => Date.now() + usedMs + 60_000;

  /** Creates the folder that a killed process leaves behind. @returns its name */
  async function abandoned(): Promise<string> {
    const code = `import { withFiles } from ${JSON.stringify(pathToFileURL(source).href)};
      await withFiles({ 'seed.iso': 'canary' }, async (path) => {
        console.log(path('seed.iso'));
        await new Promise(() => setInterval(() => {}, 1_000));
      }, { parent: ${JSON.stringify(parent)} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(createInterface(child.stdout), 'line');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [name = ''] = left();
    expect(readFileSync(join(parent, name, 'seed.iso'), 'utf8')).toBe('canary');
    return name;
  }

  it('can be read only by their user, and are removed after use or failure', async () => {
    const modes = await withFiles(
      { 'seed.iso': 'x' },
      async (path) => [statSync(path('seed.iso')).mode & 0o777, statSync(join(path('seed.iso'), '..')).mode & 0o777],
      { parent },
    );
    expect(modes).toEqual([0o600, 0o700]);
    const failing = withFiles({ 'seed.iso': 'x' }, () => Promise.reject(new Error('virsh said no')), { parent });
    await expect(failing).rejects.toThrow('virsh said no');
    expect(left()).toEqual([]);
  });

  it('of a killed process are removed only once they cannot be in use', async () => {
    await abandoned();
    expect(await removeAbandonedFiles({ usedMs, now: Date.now(), parent })).toBe(0);
    expect(left()).toHaveLength(1);
    expect(await removeAbandonedFiles({ usedMs, now: later(), parent })).toBe(1);
    expect(left()).toEqual([]);
  });

  it('of a killed process are removed with the next list of pods, even if the host does not answer', async () => {
    await abandoned();
    const virsh = scriptVirsh();
    const engineWith = (program: string) =>
      new LibvirtEngine({
        name: 'h200-1',
        instance: 'prod',
        now: later,
        program,
        temporaryFolder: parent,
        host: {
          machine: 'h200-1',
          uri: 'qemu:///system',
          profile: { kind: 'plain-vm-for-tests', domainType: 'qemu' },
          pool: 'pods',
          images: {},
          network: { kind: 'routed', name: 'pods' },
          gpus: [],
          wipeDisks: true,
        },
      });
    const { signal } = new AbortController();
    try {
      expect(await engineWith(virsh.program).list({ signal })).toEqual([]);
      expect(left()).toEqual([]);
      await abandoned();
      await expect(engineWith(join(parent, 'no-virsh')).list({ signal })).rejects.toMatchObject({
        code: 'ERR_ENGINE_UNREACHABLE',
      });
      expect(left()).toEqual([]);
    } finally {
      virsh.remove();
    }
  });

  it('that are in use stay, even if the clock is set forward', async () => {
    await withFiles(
      { 'seed.iso': 'x' },
      async (path) => {
        expect(await removeAbandonedFiles({ usedMs, now: later(), parent })).toBe(0);
        expect(readFileSync(path('seed.iso'), 'utf8')).toBe('x');
      },
      { parent },
    );
  });

  it('are distinguished from foreign files: links, other files and names stay, and so do the targets of links', async () => {
    const elsewhere = join(parent, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'precious'), '');
    symlinkSync(elsewhere, join(parent, 'cloister-seed-LinkAA'));
    writeFileSync(join(parent, 'cloister-seed-FileAA'), '');
    for (const name of ['cloister-seed-', 'cloister-seed-AAAAAAA', 'x-cloister-seed-AAAAAA', 'cloister-seed-AAA_AA']) {
      mkdirSync(join(parent, name));
    }
    const before = left();
    // A link inside one of ours is removed, not followed.
    mkdirSync(join(parent, 'cloister-seed-OursAA'));
    symlinkSync(elsewhere, join(parent, 'cloister-seed-OursAA', 'link'));
    expect(await removeAbandonedFiles({ usedMs, now: later(), parent })).toBe(1);
    expect(left()).toEqual(before);
    expect(readdirSync(elsewhere)).toEqual(['precious']);
  });

  it.skipIf(process.getuid?.() !== 0)('of another user stay', async () => {
    mkdirSync(join(parent, 'cloister-seed-ElseAA'));
    chownSync(join(parent, 'cloister-seed-ElseAA'), 12_345, 12_345);
    expect(await removeAbandonedFiles({ usedMs, now: later(), parent })).toBe(0);
    expect(left()).toHaveLength(1);
  });
});
