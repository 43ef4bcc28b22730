/** The real application with an enclave on a simulated platform, and the steps of a tenant. */
import { type Keyset, keysetDigest } from '../../../attestation/aci/keyset.ts';
import { parseReceipt, type SignedReceipt } from '../../../attestation/aci/receipt.ts';
import { parseReport, type Report } from '../../../attestation/aci/report.ts';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import { Enclave, type EnclaveOptions } from '../../../server/enclave/enclave.ts';
import { ReceiptBook, type ReceiptBookOptions } from '../../../server/enclave/receipts.ts';
import { createSealingKey, type SealingKey } from '../../../server/enclave/sealing-key.ts';
import type { ModelDirectory } from '../../../server/serving/served-model.ts';
import type { AppDependencies } from '../../../server/start/app.ts';
import { makeIdentity } from '../../../server/tls/tls.ts';
import type { FakeEngineOptions } from '../runtime/fake-engine.ts';
import { modelId, startTestApp, type TestApp } from './test-app.ts';

export const appNowMs = 1_800_000_000_000;
export const weightDigest = 'ab'.repeat(32);

export interface AttestedApp extends TestApp {
  readonly enclave: Enclave;
  readonly platform: AttestedPlatform;
  readonly book: ReceiptBook;
  readonly sealingKey: SealingKey;
  /** Moves every clock of the server. */
  advance(ms: number): void;
  /** GET with or without a key. */
  get(url: string, key?: string): Promise<{ status: number; headers: Record<string, unknown>; text: string }>;
  report(nonce?: string): Promise<Report>;
  /** Fetches with the key of the request, using the headers of its response. */
  receiptOf(headers: Record<string, unknown>): Promise<SignedReceipt>;
  /** The identity that a tenant has already verified. */
  verified(): Promise<{ keyset: Keyset; keysetDigest: string }>;
}

export interface AttestedAppOptions extends FakeEngineOptions {
  readonly enclave?: Partial<EnclaveOptions>;
  readonly book?: Partial<ReceiptBookOptions>;
  readonly models?: ModelDirectory;
  readonly confidential?: AppDependencies['confidential'];
  readonly fleet?: AppDependencies['fleet'];
  readonly statePath?: string;
}

export async function startAttestedApp({
  enclave: own,
  book: limits,
  models,
  confidential,
  fleet,
  ...options
}: AttestedAppOptions = {}): Promise<AttestedApp> {
  let time = appNowMs;
  const now = () => time;
  const platform = own?.platform ?? (await openSimulatedPlatform(time));
  const sealingKey = createSealingKey();
  const tls = makeIdentity({ host: '127.0.0.1', now: Date.now() });
  const enclave = new Enclave({
    platform,
    certificate: tls.certificate,
    isTlsKeyBornInside: true,
    sealingKey,
    provenance: { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: undefined },
    claims: () => [{ type: 'cloister.region', value: 'eu' }],
    collateralFor: () => Promise.reject(new Error('a simulated platform has its own collateral')),
    now,
    clock: now,
    ...own,
  });
  const book = new ReceiptBook({ receiptsMax: 1000, bytesMax: 1_000_000, lifetimeMs: 600_000, now, ...limits });
  const running = await startTestApp({
    ...options,
    overrides: {
      ...(models === undefined ? {} : { models }),
      ...(confidential === undefined ? {} : { confidential }),
      ...(fleet === undefined ? {} : { fleet }),
      tls,
      now,
      sealing: { key: sealingKey, sealedOnly: false },
      aci: {
        enclave: () => enclave,
        book,
        build: () => 'cloister-test',
        modelRecord: (id) => (id === modelId ? { id, weights: [weightDigest], quantisation: 'Q8_0' } : undefined),
      },
    },
  });
  const get = async (url: string, key?: string) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const { statusCode, headers: answered, body } = await running.app.inject({ url, headers });
    return { status: statusCode, headers: answered as Record<string, unknown>, text: body };
  };
  return {
    ...running,
    identity: tls,
    enclave,
    platform,
    book,
    sealingKey,
    get,
    advance: (ms) => {
      time += ms;
    },
    async report(nonce) {
      const { text } = await get(`/v1/aci/attestation${nonce === undefined ? '' : `?nonce=${nonce}`}`);
      return parseReport(text);
    },
    async receiptOf(headers) {
      const { text } = await get(`/v1/aci/receipts/${headers['x-receipt-id']}`, running.secret);
      return parseReceipt(text);
    },
    async verified() {
      const { keyset } = enclave.identity;
      return { keyset, keysetDigest: await keysetDigest(keyset) };
    },
  };
}
