/** The evidence of a running server on a simulated platform: at the handshake, in receipts, after a restart, and with an issued certificate. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findEvent, parseReceipt, verifyReceipt } from '../../attestation/aci/receipt.ts';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { readRatls } from '../../attestation/ratls/ratls.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { simulatedSoftware } from '../support/attestation/attested-server.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const model = 'cloister-demo-TEE';
const simulated = ['--simulate-tdx', '--model', model];
const policy = { measurements: simulatedSoftware, sources: 'any' } as const;
const rootOf = ({ stateDir }: RunningServer) =>
  parsePemChain(readFileSync(join(stateDir, 'simulation-root.pem')), 'root');

describe('a running server on a simulated platform', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer([...simulated, '--region', 'eu-central']);
  });
  afterAll(() => server?.stop());

  const origin = () => new URL(server.listening.baseUrl).origin;

  it('signs a receipt for a stream, over its exact bytes and the measured weights', async () => {
    const roots = rootOf(server);
    const { verification } = await attestServer(origin(), { policy, roots });
    const send = attestedFetch(policy, { roots });
    const headers = { authorization: `Bearer ${server.listening.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], stream: true, max_tokens: 4 });
    const response = await send(`${server.listening.baseUrl}/chat/completions`, { method: 'POST', headers, body });
    const responseBody = new Uint8Array(await response.arrayBuffer());
    const receiptId = response.headers.get('x-receipt-id')!;
    const fetched = await send(`${server.listening.baseUrl}/aci/receipts/${receiptId}`, { headers });
    const receipt = parseReceipt(await fetched.text());
    const { keyset, keysetDigest } = verification;
    await verifyReceipt(
      receipt,
      { keyset: keyset!, keysetDigest: keysetDigest! },
      { receiptId, requestBody: new TextEncoder().encode(body), responseBody },
    );
    const measured = (name: string) => JSON.parse(verification.startLog.find((event) => event.name === name)!.content);
    expect(findEvent(receipt, 'cloister.inference')).toMatchObject({
      build: `sha256:${measured('cloister.build').programSha256}`,
      weights: measured('cloister.model').files.map(({ sha256 }: { sha256: string }) => `sha256:${sha256}`),
      quantisation: 'Q8_0',
    });
  });

  it('measures a model that is named by its file', async () => {
    const path = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));
    const other = await startServer(['--simulate-tdx', '--model', path]);
    const otherOrigin = new URL(other.listening.baseUrl).origin;
    const { verification } = await attestServer(otherOrigin, { policy, roots: rootOf(other) });
    const { content } = verification.startLog.find(({ name }) => name === 'cloister.model')!;
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(JSON.parse(content).files).toMatchObject([{ sha256 }]);
    await other.stop();
  });

  it('states its region and measures it (I-007)', async () => {
    const { verification } = await attestServer(origin(), { policy, roots: rootOf(server) });
    expect(verification.claims).toContainEqual({ type: 'cloister.region', value: 'eu-central' });
    const { content } = verification.startLog.find(({ name }) => name === 'cloister.configuration')!;
    expect(JSON.parse(content)).toMatchObject({ region: 'eu-central' });
  });

  it('presents a quote over its key at the handshake', async () => {
    const socket = connect({ host: 'localhost', port: server.port, ca: server.certificate });
    await once(socket, 'secureConnect');
    const found = await readRatls(new Uint8Array(socket.getPeerX509Certificate()!.raw));
    expect(Buffer.from(parseQuote(found!.quote).body.reportData)).toEqual(Buffer.from(found!.reportData));
    socket.destroy();
  });

  it('states in every output that it is simulated', async () => {
    const { headers } = await fetch(`${origin()}/health/live`);
    expect(headers.get('x-confidential')).toBe('simulated');
    expect(server.output).toContain('"kind":"simulated"');
  });

  it('stores no private key except that of the development authority, and has new keys after a restart', async () => {
    const files = server.stateFiles({ except: ['certificate-key.pem'] });
    expect(files.includes('PRIVATE KEY')).toBe(false);
    const other = await startServer(simulated);
    const otherOrigin = new URL(other.listening.baseUrl).origin;
    const { verification } = await attestServer(otherOrigin, { policy, roots: rootOf(other) });
    const { verification: own } = await attestServer(origin(), { policy, roots: rootOf(server) });
    expect([verification.verdict, own.verdict]).toEqual(['verified', 'verified']);
    expect(verification.keysetDigest).not.toBe(own.keysetDigest);
    expect(rootOf(other)).not.toEqual(rootOf(server));
    await other.stop();
  });
});

it('a server without a platform provides no evidence', async () => {
  const server = await startServer(['--model', model]);
  const { status, headers } = await fetch(`${server.listening.baseUrl}/aci/attestation`);
  expect([status, headers.get('retry-after'), headers.get('x-confidential')]).toEqual([503, '30', null]);
  await server.stop();
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('openssl is not installed: the certificate of an authority is not tried');

describe.skipIf(!hasOpenssl)('a certificate issued by an authority', () => {
  it('is issued for the printed request, and then replaces the server’s own certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-chain-'));
    const openssl = (...args: string[]) => spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' }).stdout;
    const chainPath = join(folder, 'chain.pem');
    const server = await startServer([...simulated, '--tls-chain', chainPath]);
    const said = server.output.split('\n').find((line) => line.includes('certificate-request'))!;
    writeFileSync(join(folder, 'request.pem'), JSON.parse(said).pem);
    const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA'];
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...authority);
    const issue = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-copy_extensions', 'copyall', '-out', 'issued.pem'];
    openssl('x509', '-req', '-in', 'request.pem', ...issue);
    writeFileSync(chainPath, readFileSync(join(folder, 'issued.pem')));
    const ca = readFileSync(join(folder, 'ca.pem'));
    await vi.waitFor(
      async () => {
        const socket = connect({ host: 'localhost', port: server.port, ca });
        await once(socket, 'secureConnect');
        socket.destroy();
      },
      { timeout: 20_000, interval: 500 },
    );
    // The key is the same, so the attestation remains valid.
    const { origin } = new URL(server.listening.baseUrl);
    const { verification } = await attestServer(origin, { policy, roots: rootOf(server) });
    expect(verification.verdict).toBe('verified');
    await server.stop();
  });
});
