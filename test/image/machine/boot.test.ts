/** The production image, booted with its production command line on a machine that is not a TD. */
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type AttachedDisks, commandLineOf } from '../../../image/artifacts.ts';
import { planBootDisk, writeBootDisk } from '../../../image/boot-disk.ts';
import { writeConfigDisk, writeModelDisk } from '../../../image/disks.ts';
import { formatMeasurements, measureArtifacts } from '../../../image/measurements.ts';
import { VerityTree } from '../../../image/verity.ts';
import { locateFile, readCatalogue, shippedCataloguePath } from '../../../models/catalogue/catalogue.ts';
import { ask, configDisk, flipped, image, question, scratch, settings } from './support/given.ts';
import { Machine } from './support/machine.ts';

let machine: Machine | undefined;
afterEach(() => machine?.cutPower());
afterAll(() => machine?.cutPower());

async function boot(disks: AttachedDisks = {}, options: object = {}): Promise<Machine> {
  const { folder } = image!;
  const direct = { method: 'direct', cmdline: commandLineOf(folder, disks), disks } as const;
  machine = await Machine.start({ folder, boot: direct, ...options });
  return machine;
}

const renamedModel = 'from-a-disk-TEE';

/** A model disk with a renamed demo model, and a configuration whose catalogue lists it. */
async function modelDisks(): Promise<{ config: string; models: string[] }> {
  const { models: entries } = await readCatalogue(shippedCataloguePath);
  const entry = entries.find(({ id }) => id === settings.model)!;
  const models = join(scratch, 'models.img');
  const folders = { catalogueFolder: join(shippedCataloguePath, '..'), modelsFolder: scratch };
  const { signal } = new AbortController();
  await writeModelDisk(models, { entries: [entry], folders, locate: locateFile, signal });
  const config = join(scratch, 'with-catalogue.img');
  writeConfigDisk(config, {
    settings: Buffer.from(JSON.stringify({ ...settings, model: renamedModel })),
    catalogue: Buffer.from(JSON.stringify({ version: 1, models: [{ ...entry, id: renamedModel }] })),
  });
  return { config, models: [models] };
}

describe.skipIf(image === undefined)('the image', () => {
  it('has exactly the measurements in its measurements.json', async () => {
    const file = readFileSync(join(image!.folder, 'measurements.json'), 'utf8');
    expect(formatMeasurements(await measureArtifacts(image!.folder))).toBe(file);
  });

  it('has a root whose hash, computed independently, is on its command line', () => {
    const words = readFileSync(join(image!.folder, 'cmdline'), 'utf8');
    const [root, blocks, salt] = /cloister\.root=(\w+):(\d+):(\w+)/.exec(words)!.slice(1) as [string, string, string];
    const disk = readFileSync(join(image!.folder, 'rootfs.img'));
    const dataBytes = Number(blocks) * 4096;
    let isSame = true;
    const tree = new VerityTree({
      dataBlocks: Number(blocks),
      salt: Buffer.from(salt, 'hex'),
      write: (index, block) => {
        isSame &&= disk.subarray(index * 4096, index * 4096 + 4096).equals(block);
      },
    });
    tree.add(disk.subarray(0, dataBytes));
    expect([tree.finish(), isSame, disk.length]).toEqual([root, true, dataBytes + tree.blocks * 4096]);
  });

  it('serves a streamed response over TLS, gives no evidence outside a TD, and starts clean after a power failure', async () => {
    const config = configDisk('config.img');
    const first = await boot({ config });
    await first.event('ready');
    expect(first.lines).toContain('cloister: this machine is not a TD');
    expect(await ask(`${first.origin}/health/ready`)).toMatchObject({ status: 200 });
    const { apiKey } = (await first.event('listening')) as { apiKey: string };
    const answer = await ask(`${first.origin}/v1/chat/completions`, { key: apiKey, body: question(8) });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^data: \{[\s\S]+data: \[DONE\]\s*$/);
    expect(answer.chunks).toBeGreaterThan(1);
    expect(await ask(`${first.origin}/v1/aci/attestation`)).toMatchObject({ status: 503 });

    const cut = ask(`${first.origin}/v1/chat/completions`, { key: apiKey, body: question(400) });
    const failure = expect(cut).rejects.toThrow();
    await first.cutPower();
    await failure;
    const second = await boot({ config });
    await second.event('ready');
    const { apiKey: other } = (await second.event('listening')) as { apiKey: string };
    expect(other).not.toBe(apiKey);
    expect(await ask(`${second.origin}/v1/models`, { key: apiKey })).toMatchObject({ status: 401 });
    expect(await ask(`${second.origin}/v1/models`, { key: other })).toMatchObject({ status: 200 });
  });

  it.each([
    ['DHCP', 'address dhcp\nnameserver 10.0.2.3\n'],
    ['fixed addresses', 'address 10.0.2.15/24\ngateway 10.0.2.2\nnameserver 10.0.2.3\n'],
  ])('is reachable with %s by its configuration', async (_how, network) => {
    const config = join(scratch, 'network.img');
    writeConfigDisk(config, { settings: Buffer.from(JSON.stringify(settings)), network: Buffer.from(network) });
    const one = await boot({ config });
    await one.event('listening');
    expect([200, 503]).toContain((await ask(`${one.origin}/health/ready`)).status);
  });

  it('powers off if its network configuration requests DHCP and no server answers', async () => {
    // A hub without other ports.
    const silent = await boot({}, { replace: { '-netdev': 'hubport,id=net0,hubid=0' } });
    expect(await silent.over()).toContain('cloister: no DHCP server leased an address');
  });

  it('serves a model from a model disk, by the catalogue of its configuration', async () => {
    const one = await boot(await modelDisks());
    expect(await one.event('ready')).toMatchObject({ models: [{ id: renamedModel }] });
  });
});

describe.skipIf(image === undefined)('the image on a boot disk', () => {
  /** A boot disk with configuration and models; `change` damages it. */
  async function bootDisk(
    change: (path: string, offsets: readonly number[]) => void = () => undefined,
  ): Promise<Machine> {
    const { folder } = image!;
    const disk = join(scratch, 'boot.img');
    const plan = planBootDisk(folder, await modelDisks());
    await writeBootDisk(disk, plan);
    change(disk, plan.layout.offsets);
    machine = await Machine.start({ folder, boot: { method: 'uefi', disk } });
    return machine;
  }

  it('boots from UEFI firmware, finds its partitions, leases an address and serves', async () => {
    const one = await bootDisk();
    expect(await one.event('ready')).toMatchObject({ models: [{ id: renamedModel }] });
    expect(await ask(`${one.origin}/health/ready`)).toMatchObject({ status: 200 });
  });

  it.each([
    ['root', 1, 1024 + 100, /dm-verity device has corrupted block|verity: .*corrupted/i],
    ['configuration', 2, 600, /cloister: the configuration disk does not match the SHA-256/],
  ])('does not serve after one bit changed in its %s', async (_what, partition, at, message) => {
    const one = await bootDisk((path, offsets) => flipBit(path, offsets[partition]! + at));
    const console = await one.over();
    expect(console).toMatch(message);
    expect(console).not.toMatch(/"event":"ready"/);
  });
});

/** Flips a bit of a file that may be larger than memory. */
function flipBit(path: string, at: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

describe.skipIf(image === undefined)('a machine with one bit changed never serves', () => {
  const opened = /"event":"listening"/;

  it('in the superblock of the root: the kernel panics', async () => {
    const root = flipped('root.img', readFileSync(join(image!.folder, 'rootfs.img')), 1024 + 100);
    const folder = join(image!.folder);
    const changed = await boot(
      {},
      { replace: { '-drive': `file=${root},if=none,id=disk0,format=raw,readonly=on` }, folder },
    );
    const console = await changed.over();
    expect(console).toMatch(/dm-verity device has corrupted block|verity: .*corrupted/i);
    expect(console).not.toMatch(opened);
  });

  it('in a block that the runtime reads: the kernel panics', async () => {
    const bytes = readFileSync(join(image!.folder, 'rootfs.img'));
    // A flipped bit in every block except the first ones corrupts every read after mounting.
    const [, blocks] = /cloister\.root=\w+:(\d+)/.exec(readFileSync(join(image!.folder, 'cmdline'), 'utf8'))!;
    for (let block = 64; block < Number(blocks); block++) bytes[block * 4096 + 77]! ^= 1;
    const root = join(scratch, 'blocks.img');
    writeFileSync(root, bytes);
    const changed = await boot({}, { replace: { '-drive': `file=${root},if=none,id=disk0,format=raw,readonly=on` } });
    const console = await changed.over();
    expect(console).toMatch(/corrupted|cloister: /);
    expect(console).not.toMatch(opened);
  });

  it.each([
    ['settings', '"model"'],
    ['catalogue', '"sha256"'],
  ])('in the %s of its configuration: init powers it off', async (_what, near) => {
    const { config, models } = await modelDisks();
    const bytes = readFileSync(config);
    const wrong = flipped('wrong.img', bytes, bytes.indexOf(near) + 1);
    const { folder } = image!;
    const cmdline = commandLineOf(folder, { config, models });
    machine = await Machine.start({ folder, boot: { method: 'direct', cmdline, disks: { config: wrong, models } } });
    expect(await machine.over()).toContain(
      'cloister: the configuration disk does not match the SHA-256 on the command line',
    );
  });

  it('in the weights on a model disk: the kernel panics before any response', async () => {
    const { config, models } = await modelDisks();
    const bytes = readFileSync(models[0]!);
    const wrong = flipped('wrong-models.img', bytes, bytes.indexOf('GGUF') + 2 ** 20);
    const { folder } = image!;
    const cmdline = commandLineOf(folder, { config, models });
    machine = await Machine.start({ folder, boot: { method: 'direct', cmdline, disks: { config, models: [wrong] } } });
    const console = await machine.over();
    expect(console).toMatch(/dm-verity device has corrupted block|verity: .*corrupted/i);
    expect(console).not.toMatch(/"event":"ready"/);
  });

  it('in the initial RAM disk: the kernel finds no valid archive', async () => {
    const bytes = readFileSync(join(image!.folder, 'initrd.img'));
    const initrd = flipped('initrd.img', bytes, Math.floor(bytes.length / 2));
    const changed = await boot({}, { replace: { '-initrd': initrd } });
    const console = await changed.over();
    expect(console).toMatch(/Kernel panic|cloister: /);
    expect(console).not.toMatch(opened);
  });

  it('in the root parameter of the command line: init or the kernel stops', async () => {
    const { folder } = image!;
    const cmdline = commandLineOf(folder).replace(
      /root=(.)/,
      (_all, digit: string) => `root=${digit === '0' ? '1' : '0'}`,
    );
    machine = await Machine.start({ folder, boot: { method: 'direct', cmdline, disks: {} } });
    expect(await machine.over()).not.toMatch(opened);
  });

  it('in an unknown parameter of the command line: init powers it off', async () => {
    const { folder } = image!;
    const cmdline = `${commandLineOf(folder)} cloister.debug=1`;
    machine = await Machine.start({ folder, boot: { method: 'direct', cmdline, disks: {} } });
    expect(await machine.over()).toContain('is unknown, repeated or malformed: cloister.debug');
  });
});
