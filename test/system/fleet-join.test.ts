/** A server with the secrets of a fleet, and others that get them from it and from each other: nobody gives them anything. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { makeIdentity } from '../../server/tls/tls.ts';
import type { RunningServer } from '../support/server/server.ts';
import { SimulatedFleet, simulatedPolicy } from '../support/server/simulated-fleet.ts';

const started = await SimulatedFleet.start(['acme']);
const missing = 'missing' in started ? started.missing : undefined;
if (missing !== undefined) console.warn(`joining a fleet is skipped: ${missing}`);

const sharedName = 'api.example.com';
const model = ['--model', 'cloister-demo-TEE', '--fleet-secrets'];

/** The certificate that a server shows to a client that asks for a name. */
async function certificateAt({ port }: RunningServer, servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate()!.toString();
  socket.destroy();
  return certificate;
}

describe.skipIf(missing !== undefined)(`joining a fleet${missing === undefined ? '' : ` (${missing})`}`, () => {
  const fleet = started as SimulatedFleet;
  const folder = mkdtempSync(join(tmpdir(), 'cloister-join-'));
  const shared = makeIdentity({ host: sharedName, now: Date.now() });
  let [first, second]: RunningServer[] = [];

  beforeAll(async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, shared.certificate);
    writeFileSync(key, shared.key, { mode: 0o600 });
    first = await fleet.startNode([...model, '--fleet-tls-cert', cert, '--fleet-tls-key', key]);
    second = await (await fleet.joinNode([first], { flags: model })).ready();
  }, 60_000);
  afterAll(async () => {
    await fleet.close();
    rmSync(folder, { recursive: true });
  });

  async function expectMember(server: RunningServer) {
    const headers = { authorization: `Bearer ${fleet.keys[0]}` };
    const balance = await fetch(`${server.listening.baseUrl}/usage`, { headers });
    expect(balance.status).toBe(200);
    const certificates = [await certificateAt(server, sharedName), await certificateAt(server, 'localhost')];
    expect(shared.certificate).toContain(certificates[0]!.trim());
    expect(shared.certificate).not.toContain(certificates[1]!.trim());
    const listed = async () => (await fetch(`${first!.listening.baseUrl}/fleet`)).text();
    await expect.poll(listed, { timeout: 10_000 }).toContain(`https://localhost:${server.port}"`);
  }

  function expectNoSecretOutside(server: RunningServer) {
    const written = server.output + server.log + server.stateFiles();
    const lines = shared.key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'));
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [fleet.url, ...lines]) expect(written).not.toContain(secret);
  }

  it('gives a node the database and the certificate of the shared name, next to its own', async () => {
    await expectMember(first!);
    await expectMember(second!);
    expectNoSecretOutside(second!);
    expect(second!.output).toMatch(/"state":"joined","text":"gave databaseUrl, tlsCert, tlsKey"/);
    expect(first!.log).toContain('the secrets of the fleet were given to a node');
  });

  it('measures from which nodes and under which policy a node takes its secrets', async () => {
    const attest = (server: RunningServer) =>
      attestServer(`https://localhost:${server.port}`, { policy: simulatedPolicy, roots: fleet.roots });
    const { verification } = await attest(second!);
    expect(verification.verdict).toBe('verified');
    const event = verification.startLog.find(({ name }) => name === 'cloister.provision')!;
    const giver = (await attest(first!)).verification;
    expect(JSON.parse(event.content)).toEqual({
      givers: [giver.keysetDigest],
      policy: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(giver.startLog.some(({ name }) => name === 'cloister.provision')).toBe(false);
    const configuration = verification.startLog.find(({ name }) => name === 'cloister.configuration')!;
    expect(JSON.parse(configuration.content).databaseUrl).toBeNull();
  });

  it('takes a killed node back without anybody’s help, also from a node that joined itself', async () => {
    await second!.signalAndWait('SIGKILL');
    second = await (await fleet.joinNode([first!], { flags: model, again: second! })).ready();
    await expectMember(second);
    const dead = { port: 9 } as RunningServer;
    const third = await (await fleet.joinNode([dead, second], { flags: model })).ready();
    await expectMember(third);
    expect(third.output).toMatch(/localhost:9","state":"refused"/);
    await third.signalAndWait('SIGKILL');
    expectNoSecretOutside(third);
  }, 60_000);

  it('stops at once on SIGTERM while no node gives it the secrets, having opened no port', async () => {
    const policy = join(folder, 'other.json');
    const measurements = simulatedPolicy.measurements.map((set) => ({ ...set, mrTd: '0'.repeat(96) }));
    writeFileSync(policy, JSON.stringify({ ...simulatedPolicy, measurements }));
    const stranger = await fleet.joinNode([first!], { flags: [...model, '--fleet-policy', policy] });
    let output = '';
    stranger.process.stdout!.on('data', (chunk: Buffer) => (output += chunk));
    await expect.poll(() => output, { timeout: 20_000 }).toContain('"state":"waiting"');
    expect(output).toContain('is not verified');
    expect(output).not.toContain('"event":"listening"');
    expect(await stranger.signalAndWait('SIGTERM')).toBe(0);
  }, 30_000);
});
