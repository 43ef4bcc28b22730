import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../../compute/engines/engine.ts';
import { buildSeed } from '../../../compute/engines/libvirt/cloud-init.ts';
import { buildSeedIso } from '../../../compute/engines/libvirt/seed-iso.ts';

const key = `ssh-ed25519 ${'A'.repeat(68)} ada "quoted" \\ back: [x]`;

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'confidential',
  machine: 'm-1',
  image: { reference: 'ubuntu-24.04' },
  hostname: 'my-machine',
  sshKeys: [key],
  ports: [],
  gpuCount: 0,
  limits: { cpus: 1, memoryBytes: 2 ** 30 },
  sudoPasswordHash: '$6$salt$hashhash',
};

/** Reads an image as ECMA-119 specifies, from the offsets and sizes in the image. */
function readIso(image: Buffer): { label: string; files: Record<string, string> } {
  const descriptor = image.subarray(16 * 2048);
  expect(descriptor.toString('latin1', 0, 7)).toBe('\x01CD001\x01');
  expect(descriptor.readUInt32LE(80) * 2048).toBe(image.length);
  expect(descriptor.readUInt32BE(84)).toBe(descriptor.readUInt32LE(80));
  const root = descriptor.readUInt32LE(156 + 2) * 2048;
  const files: Record<string, string> = {};
  for (let at = root; image[at]! > 0; at += image[at]!) {
    const name = image.toString('latin1', at + 33, at + 33 + image[at + 32]!);
    const start = image.readUInt32LE(at + 2) * 2048;
    expect(image.readUInt32BE(at + 6) * 2048).toBe(start);
    if ((image[at + 25]! & 2) === 0) files[name] = image.toString('utf8', start, start + image.readUInt32LE(at + 10));
  }
  return { label: descriptor.toString('ascii', 40, 72).trim(), files };
}

describe('the seed disk', () => {
  it('contains the files that cloud-init reads, on a volume named cidata', () => {
    const { label, files } = readIso(buildSeed(spec));
    expect(label).toBe('cidata');
    expect(Object.keys(files)).toEqual(['META-DATA.;1', 'USER-DATA.;1']);
    expect(JSON.parse(files['META-DATA.;1']!)).toEqual({ 'instance-id': 'p-1', 'local-hostname': 'my-machine' });
  });

  it('creates the user ubuntu with the given key and password hash', () => {
    const { files } = readIso(buildSeed(spec));
    const [first, json] = files['USER-DATA.;1']!.split('\n');
    expect(first).toBe('#cloud-config');
    const data = JSON.parse(json!);
    expect(data).toMatchObject({ hostname: 'my-machine', ssh_pwauth: false, disable_root: true });
    expect(data.users).toEqual([
      expect.objectContaining({
        name: 'ubuntu',
        ssh_authorized_keys: [key],
        hashed_passwd: '$6$salt$hashhash',
        lock_passwd: false,
      }),
    ]);
  });

  it('locks password login if the spec has no password hash', () => {
    const { sudoPasswordHash: _, ...without } = spec;
    const { files } = readIso(buildSeed(without));
    const [user] = JSON.parse(files['USER-DATA.;1']!.split('\n')[1]!).users;
    expect(user.lock_passwd).toBe(true);
    expect(user).not.toHaveProperty('hashed_passwd');
  });

  it('contains files of more than one sector completely', () => {
    const content = 'x'.repeat(5000);
    const { files } = readIso(
      buildSeedIso([
        { name: 'a', content },
        { name: 'b', content: 'y' },
      ]),
    );
    expect(files).toEqual({ 'A.;1': content, 'B.;1': 'y' });
  });

  it('rejects an invalid file name', () => {
    expect(() => buildSeedIso([{ name: '../x', content: '' }])).toThrow(RangeError);
  });
});
