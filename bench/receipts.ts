/**
 * `node bench/receipts.ts`: the cost of a receipt. During the request: hashing 2 KiB of request and 8 KiB of response in 64
 * pieces, building the document and storing its canonical bytes. On retrieval: signing and formatting it. The first receipt is
 * verified before the measurement.
 */
import { hash } from 'node:crypto';
import { parseReceipt, verifyReceipt } from '../attestation/aci/receipt.ts';
import { openSimulatedPlatform } from '../attestation/guest/simulated-platform.ts';
import { Enclave } from '../server/enclave/enclave.ts';
import { closeProcess } from '../server/enclave/process-guard.ts';
import { ReceiptDraft } from '../server/enclave/receipt-draft.ts';
import { ReceiptBook } from '../server/enclave/receipts.ts';
import { makeIdentity } from '../server/tls/tls.ts';
import { readOptions } from './command-line.ts';
import { type Measurement, runBench, timeCalls } from './in-process.ts';

readOptions('node bench/receipts.ts, without options', {});

// Keys are in locked memory, as in the server, so that its cost is included.
const keys = closeProcess().keysLocked ? 'in locked memory' : 'in ordinary memory';
const runs = 20_000;
let written = 0;
const now = Date.now;
const enclave = new Enclave({
  platform: await openSimulatedPlatform(now()),
  certificate: makeIdentity({ host: '127.0.0.1', now: now() }).certificate,
  isTlsKeyBornInside: true,
  sealingKey: undefined,
  provenance: { repositoryUrl: undefined, commit: undefined, imageDigest: undefined },
  claims: () => [],
  collateralFor: () => Promise.reject(new Error('not asked for')),
  now,
  clock: () => performance.now(),
});
const book = new ReceiptBook({ receiptsMax: 4096, bytesMax: 64 * 1024 * 1024, lifetimeMs: 600_000, now });
const request = new Uint8Array(2048).fill(0x61);
const pieces = Array.from({ length: 64 }, () => Buffer.alloc(128, 0x62));
const weights = [0, 1, 2, 3].map((part) => String(part).repeat(64));

function writeReceipt(receiptId: string): void {
  const draft = new ReceiptDraft({
    receiptId,
    endpoint: '/v1/chat/completions',
    method: 'POST',
    build: 'bench',
    modelRecord: (id) => ({ id, weights, quantisation: 'Q8_0' }),
    status: () => 200,
    onFinished: (receipt) =>
      book.add('bench', {
        ...receipt,
        keysetDigest: enclave.identity.digest,
        keyId: enclave.receiptKeyId,
        servedAt: Math.floor(now() / 1000),
      }),
  });
  draft.received(hash('sha256', request, 'hex'));
  draft.serves('bench-TEE');
  draft.describe({ temperature: 0.7, top_p: 0.95, top_k: 40, seed: 1, choices: 1, max_tokens: 512, stream: true });
  draft.charging();
  draft.open({});
  for (const piece of pieces) draft.push(piece);
  const counts = { promptTokens: 400, completionTokens: 64 };
  draft.charged({ counts, finishReason: 'stop', now: now() }, 528);
  draft.end();
}

const fetchReceipt = (receiptId: string) => book.find(receiptId, 'bench', (bytes) => enclave.signReceipt(bytes));

writeReceipt('rcpt-first');
const { keyset, digest: keysetDigest } = enclave.identity;
const responseBody = new Uint8Array(Buffer.concat(pieces));
await verifyReceipt(
  parseReceipt(fetchReceipt('rcpt-first')!),
  { keyset, keysetDigest },
  { requestBody: request, responseBody },
);
const bytes = new Uint8Array(1024).fill(0x63);
const measure = (label: string, work: () => unknown): Measurement => ({
  scenario: 'receipts',
  label,
  of: 'cloister',
  measure: () => timeCalls(runs, work),
});
await runBench({ name: 'receipts', settings: { request: '2 KiB', answer: '8 KiB in 64 pieces', keys }, servers: {} }, [
  measure('on the request: hash, build, keep', () => writeReceipt(`rcpt-${++written}`)),
  measure('on the fetch: sign and write', () => {
    if (fetchReceipt(`rcpt-${written}`) === undefined) throw new Error('the receipt was lost');
  }),
  measure('of which Ed25519 over 1 KiB', () => enclave.signReceipt(bytes)),
]);
