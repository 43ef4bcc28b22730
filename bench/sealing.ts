/**
 * `node bench/sealing.ts`: the cost of sealed bodies on one core: bytes per second by size of the chunks that a route writes,
 * and the microseconds that one exchange adds to a request, compared with @hpke/core on the same request. The client opens the
 * sealed data once before the measurement.
 */
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { fromHex } from '../attestation/base/bytes.ts';
import { openResponse, sealRequest } from '../attestation/sealed/client.ts';
import { encapsulatedKeyHeader, responseNonceHeader } from '../attestation/sealed/protocol.ts';
import { closeProcess } from '../server/enclave/process-guard.ts';
import { createSealingKey, type SealedExchange } from '../server/enclave/sealing-key.ts';
import { readOptions } from './command-line.ts';
import { type Measurement, runBench, timeCalls } from './in-process.ts';

readOptions('node bench/sealing.ts, without options', {});

/** Sizes: an event of a stream, a step of sixteen answers, a socket's chunk, an image, a long list of vectors. */
const chunkBytes = [256, 4096, 65_536, 1024 * 1024, 16 * 1024 * 1024];
const bytesPerSample = 64 * 1024 * 1024;
const opening = 'open a request: X25519, key schedule, its frame, export';

// Keys are in locked memory, as in the server, so that its cost is included.
const keys = closeProcess().keysLocked ? 'in locked memory' : 'in ordinary memory';
const key = createSealingKey();
const original = new Request('https://cloister.bench/v1', { method: 'POST', body: JSON.stringify({ prompt: 'x' }) });
const sealed = await sealRequest(original, key.publicKey);
const encapsulatedKey = fromHex(sealed.request.headers.get(encapsulatedKeyHeader)!)!;
const requestFrame = new Uint8Array(await sealed.request.arrayBuffer()).subarray(4);
await requireOpens();

await runBench(
  {
    name: 'sealing',
    settings: { cores: 1, keys },
    servers: { '@hpke/core': ['what a library made for HPKE needs for the same'] },
  },
  [
    ...chunkBytes.map((bytes) => cloister('seal', `${bytes} B a chunk`, () => measureSeal(bytes))),
    cloister('exchange', opening, () => timeCalls(2000, () => begin().open(requestFrame))),
    { scenario: 'exchange', label: opening, of: '@hpke/core', measure: measurePeer },
    cloister('exchange', 'open a request and begin its answer', () => timeCalls(2000, () => answered())),
    cloister('exchange', 'seal one event of 256 B', measureEvents),
  ],
);

function cloister(scenario: string, label: string, measure: Measurement['measure']): Measurement {
  return { scenario, label, of: 'cloister', measure };
}

function begin(): SealedExchange {
  return key.receive(encapsulatedKey)!;
}

function answered(): SealedExchange {
  const exchange = begin();
  exchange.open(requestFrame);
  exchange.beginAnswer();
  return exchange;
}

/** Checks the answer once: the timed code produces what a client can open. */
async function requireOpens(): Promise<void> {
  const text = Buffer.alloc(3 * 1024 * 1024, 'an answer ');
  const exchange = begin();
  if (exchange.open(requestFrame)?.toString() !== (await original.clone().text()))
    throw new Error('the server cannot decrypt the request');
  const headers = { [responseNonceHeader]: exchange.beginAnswer() };
  const bytes = Buffer.concat([exchange.seal(text), exchange.seal(text)]);
  const opened = await openResponse(new Response(bytes, { headers }), sealed.exchange!);
  if (!Buffer.concat([text, text]).equals(Buffer.from(await opened.arrayBuffer())))
    throw new Error('the answer is wrong');
}

function measureSeal(chunkBytes: number) {
  const chunk = Buffer.alloc(chunkBytes, 'x');
  const chunks = Math.min(bytesPerSample / chunkBytes, 50_000);
  const exchange = answered();
  const run = () => {
    const start = performance.now();
    for (let count = 0; count < chunks; count++) exchange.seal(chunk);
    return (chunks * chunkBytes) / 1e6 / ((performance.now() - start) / 1000);
  };
  run();
  return { megabytesPerSecond: run() };
}

async function measureEvents() {
  const exchange = answered();
  const event = Buffer.alloc(256, 'x');
  return await timeCalls(20_000, () => exchange.seal(event));
}

/** The work per request if the server used an HPKE library. */
async function measurePeer() {
  const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const { publicKey, privateKey } = await suite.kem.generateKeyPair();
  const info = new TextEncoder().encode('ehbp request').buffer;
  const label = new TextEncoder().encode('ehbp response').buffer;
  const sender = await suite.createSenderContext({ recipientPublicKey: publicKey, info });
  const frame = await sender.seal(await original.clone().arrayBuffer());
  return await timeCalls(500, async () => {
    const recipient = await suite.createRecipientContext({ recipientKey: privateKey, enc: sender.enc, info });
    await recipient.open(frame);
    await recipient.export(label, 32);
  });
}
