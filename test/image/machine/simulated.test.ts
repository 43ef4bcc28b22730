/**
 * The chain of trust in a booted guest: the addon and the client on the kernel's real interfaces, backed by a simulated TDX
 * device whose registers have the values of `cloister measure`. The production command line rejects that device.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatCollateral } from '../../../attestation/collateral/collateral.ts';
import type { CollateralSource } from '../../../attestation/collateral/fetch.ts';
import { commandLineDigests, type DirectBoot, kernelDigests } from '../../../attestation/measure/direct-boot.ts';
import { type ImageMeasurements, measureImage, policyFor } from '../../../attestation/measure/measure.ts';
import { digestTdHob } from '../../../attestation/measure/td-hob.ts';
import { tdvfSectionBytes } from '../../../attestation/measure/tdvf.ts';
import { attestedFetch } from '../../../attestation/node.ts';
import { createSimulatedPlatform, type SimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';
import { commandLineOf } from '../../../image/artifacts.ts';
import { measureArtifacts } from '../../../image/measurements.ts';
import { makeIdentity } from '../../../server/tls/tls.ts';
import { writeBootLog } from '../../support/attestation/boot-log.ts';
import { runCloister } from '../../support/cloister.ts';
import { serveCollateral } from './support/collateral-cache.ts';
import { eventLogTable, eventLogWord } from './support/event-log-table.ts';
import { ask, configDisk, image, scratch, settings } from './support/given.ts';
import { Machine } from './support/machine.ts';
import { type QuoteCounts, serveQuotes, tdInfoOf } from './support/quote-service.ts';

const isPossible = image?.simulator !== undefined;
const bytesOf = (path: string) => new Uint8Array(readFileSync(path));
/** Of `Machine`: 1G. */
const memoryBytes = 2 ** 30;
const trust = ['--root', 'root.pem', '--collateral', 'collateral.json'];

let platform: SimulatedPlatform;
let cache: { source: CollateralSource; server: Server };
let initrd: string;
const machines: Machine[] = [];

beforeAll(async () => {
  if (!isPossible) return;
  initrd = join(scratch, 'initrd-simulated.img');
  const production = readFileSync(join(image!.folder, 'initrd.img'));
  // An archive starts at a multiple of four bytes.
  const padding = Buffer.alloc(-production.length & 3);
  writeFileSync(initrd, Buffer.concat([production, padding, readFileSync(image!.simulator!)]));
  platform = await createSimulatedPlatform(Date.now());
  cache = await serveCollateral(platform.collateral);
  writeFileSync(join(scratch, 'root.pem'), formatPemChain([platform.rootCa]));
  writeFileSync(join(scratch, 'collateral.json'), formatCollateral(platform.collateral));
});
afterAll(async () => {
  cache?.server.close();
  await Promise.all(machines.map((machine) => machine.cutPower()));
});

interface Simulated {
  readonly machine: Machine;
  readonly measured: ImageMeasurements;
  readonly quotes: () => QuoteCounts;
}

/** @param name name of the policy's file · @param change changes the command line, which has lockdown and no simulator by default */
async function boot(name: string, config: string, change = withSimulator): Promise<Simulated> {
  const { folder } = image!;
  const cmdline = change(commandLineOf(folder, { config }));
  const firmware = bytesOf(join(folder, 'OVMF.fd'));
  const bootFiles = { kernel: bytesOf(join(folder, 'vmlinuz')), initrd: bytesOf(initrd), cmdline };
  const eventLog = await bootLogFor(firmware, bootFiles);
  const measured = await measureImage({ firmware, ...bootFiles }, { eventLog, memoryBytes });
  writeFileSync(join(scratch, `${name}.json`), JSON.stringify(policyFor([measured])));
  const socket = join(scratch, `${name}.sock`);
  const machine = await Machine.start({
    folder,
    boot: { method: 'direct', cmdline, disks: { config } },
    replace: { '-initrd': initrd },
    more: [
      ...['-device', 'virtio-serial-pci', '-chardev', `socket,id=sim,path=${socket},server=on,wait=off`],
      ...['-device', 'virtserialport,chardev=sim,name=tdx.sim'],
      ...eventLogTable(scratch, eventLog),
    ],
  });
  machines.push(machine);
  const tdInfo = tdInfoOf(measured);
  const quotes = await serveQuotes(socket, { platform, tdInfo });
  return { machine, measured, quotes };
}

function withSimulator(cmdline: string): string {
  return `${cmdline.replace(' lockdown=confidentiality', '')} ${eventLogWord} rdinit=/sim/init`;
}

function withIoctlOnly(cmdline: string): string {
  return `${withSimulator(cmdline)} sim_interface=ioctl`;
}

/** Builds the event log that a TD's firmware would record for this boot. */
async function bootLogFor(firmware: Uint8Array, boot: DirectBoot): Promise<Uint8Array> {
  const loaded = [
    ...(await kernelDigests(boot)).map((digest) => [1, digest] as const),
    ...(await commandLineDigests(boot)).map((digest) => [2, digest] as const),
  ];
  const variables = tdvfSectionBytes(firmware, 'variables');
  return writeBootLog({ variables, memory: await digestTdHob(firmware, memoryBytes), loaded });
}

const cloister = (...words: string[]) => runCloister(words.map((word) => `'${word}'`).join(' '), { cwd: scratch });

describe.skipIf(!isPossible)('a guest with a simulated TDX device', () => {
  let guest: Simulated;
  let apiKey: string;

  it('measures its start, with quotes from the kernel’s configfs', async () => {
    // Agents' prompts are computed at the start here, as they are by default.
    const config = configDisk('whole.img', { prefixCacheMb: 512 });
    guest = await boot('whole', config);
    await guest.machine.event('attested');
    await guest.machine.event('ready');
    expect(guest.quotes()).toMatchObject({ reports: expect.any(Number), messages: 0 });
    expect(guest.quotes().reports).toBeGreaterThan(0);
    ({ apiKey } = (await guest.machine.event('listening')) as { apiKey: string });
    const production = policyFor([await measureArtifacts(image!.folder, { config })]);
    writeFileSync(join(scratch, 'production.json'), JSON.stringify(production));
  });

  it('verifies against its policy of cloister measure, and not against that of the production image', async () => {
    const verified = await cloister('verify', guest.machine.origin, '--policy', 'whole.json', ...trust);
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    const refused = await cloister('verify', guest.machine.origin, '--policy', 'production.json', ...trust);
    expect([refused.code, refused.stdout]).toEqual([10, expect.stringMatching(/none of the 1 sets matches/)]);
  });

  it('serves the firmware’s event log, from whose bundle cloister measure computes RTMR0', async () => {
    const { origin } = guest.machine;
    await cloister('verify', origin, '--policy', 'whole.json', ...trust, '--save', 'first.json');
    const { report } = JSON.parse(readFileSync(join(scratch, 'first.json'), 'utf8')) as { report: string };
    expect(report).toMatch(/"boot_log":"[A-Za-z0-9+/]{1000,}/);
    const again = await cloister('measure', image!.folder, '--event-log', '1G:first.json', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ rtmr0: guest.measured.rtmr0, rtmr0From: 'event-log' });
  });

  it('answers a sealed attestedFetch that its policy matches, and receives no request otherwise', async () => {
    const options = { roots: [platform.rootCa], collateral: cache.source, seal: true };
    const client = (name: string) =>
      new OpenAI({
        baseURL: `${guest.machine.origin}/v1`,
        apiKey,
        maxRetries: 0,
        fetch: attestedFetch(JSON.parse(readFileSync(join(scratch, name), 'utf8')), options),
      });
    const question = { model: settings.model, max_tokens: 6, messages: [{ role: 'user' as const, content: 'Hello!' }] };
    const stream = await client('whole.json').chat.completions.create({ ...question, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).not.toBe('');
    await expect(client('production.json').chat.completions.create(question)).rejects.toThrow();
  });

  it('signs receipts with its attested key, which verify later with a bundle', async () => {
    const { origin } = guest.machine;
    const saved = await cloister('verify', origin, '--policy', 'whole.json', ...trust, '--save', 'bundle.json');
    expect(saved.code).toBe(0);
    const body = { model: settings.model, max_tokens: 4, messages: [{ role: 'user', content: 'Hello!' }] };
    const answer = await ask(`${origin}/v1/chat/completions`, { key: apiKey, body });
    const { id } = JSON.parse(answer.text) as { id: string };
    const receipt = await ask(`${origin}/v1/aci/receipts/${id}`, { key: apiKey });
    expect(receipt.status).toBe(200);
    writeFileSync(join(scratch, 'receipt.json'), receipt.text);
    writeFileSync(join(scratch, 'request.json'), JSON.stringify(body));
    writeFileSync(join(scratch, 'response.json'), answer.text);
    const files = ['--bundle', 'bundle.json', '--request', 'request.json', '--response', 'response.json'];
    const checked = await cloister('verify-receipt', 'receipt.json', ...files, '--policy', 'whole.json', ...trust);
    expect(checked, checked.stdout).toMatchObject({ code: 0 });
    await guest.machine.cutPower();
  });

  it('receives its TLS key from the operator over the sealed channel before it serves', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(scratch, 'operator.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(scratch, 'settings.json'), JSON.stringify({ ...settings, startKey: 'off' }));
    const secrets = ['--operator-key', 'operator.pem', '--secret', 'tlsCert', '--secret', 'tlsKey'];
    await cloister('image', 'config-disk', 'provisioned.img', '--settings', 'settings.json', ...secrets);
    const { machine } = await boot('provisioned', join(scratch, 'provisioned.img'));
    await machine.event('awaiting-secrets');

    const identity = makeIdentity({ host: 'api.example', now: Date.now() });
    const brought = { tlsCert: identity.certificate, tlsKey: identity.key };
    writeFileSync(join(scratch, 'secrets.json'), JSON.stringify(brought));
    const given = ['--key', 'operator.pem', '--secrets', 'secrets.json', ...trust];
    const wrong = await cloister('image', 'provision', machine.origin, '--policy', 'whole.json', ...given);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/the guest does not match the policy/)]);
    const right = await cloister('image', 'provision', machine.origin, '--policy', 'provisioned.json', ...given);
    expect(right, right.stderr).toMatchObject({ code: 0 });

    await machine.event('ready');
    expect(await certificateOf(machine)).toBe(identity.certificate.replace(/\s/g, ''));
    expect(machine.lines.join('\n')).not.toContain('PRIVATE KEY');
  });

  it('quotes by the device’s ioctl and the host’s quote service if the kernel lacks configfs-tsm', async () => {
    const { machine, quotes } = await boot('ioctl', configDisk('ioctl.img'), withIoctlOnly);
    await machine.event('attested');
    await machine.event('ready');
    const before = quotes().messages;
    const verified = await cloister('verify', machine.origin, '--policy', 'ioctl.json', ...trust);
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    // Each nonce of a client gets its own quote.
    expect(before).toBeGreaterThan(0);
    expect(quotes().messages).toBeGreaterThan(before);
    expect(quotes().reports).toBe(0);
    await machine.cutPower();
  });

  it('powers off under the kernel lockdown of the production command line', async () => {
    const locked = await boot('locked', configDisk('locked.img'), (line) => `${line} rdinit=/sim/init`);
    expect(await locked.machine.over()).toMatch(/simulator: \/sim\/tdx_guest_sim.ko: Operation not permitted/);
  });
});

/** The server's certificate from the handshake: PEM without white space. */
function certificateOf({ port }: Machine): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, minVersion: 'TLSv1.3' }, () => {
    resolve(socket.getPeerX509Certificate()!.toString().replace(/\s/g, ''));
    socket.destroy();
  });
  socket.on('error', reject);
  return promise;
}
