/** `/v1/aci/attestation` from a tenant's point of view. */
import { createHash, X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealingKey } from '../../../../attestation/aci/keyset.ts';
import { requireReportData } from '../../../../attestation/aci/report.ts';
import { AttestationError } from '../../../../attestation/base/errors.ts';
import { verifyEvidence } from '../../../../attestation/client/verify-evidence.ts';
import { openSimulatedPlatform } from '../../../../attestation/guest/simulated-platform.ts';
import { parseQuote } from '../../../../attestation/quote/quote.ts';
import { measureGpus } from '../../../../server/enclave/gpu-admission.ts';
import { measureFacts, type StartFacts } from '../../../../server/enclave/measured-start.ts';
import { simulatedSoftware } from '../../../support/attestation/attested-server.ts';
import { type AttestedApp, appNowMs, startAttestedApp } from '../../../support/server/attested-app.ts';
import { chatBody, startTestApp } from '../../../support/server/test-app.ts';

const nonce = '0f'.repeat(32);
const path = '/v1/aci/attestation';
const url = `${path}?nonce=${nonce}`;
let running: AttestedApp;

const restart = async (options: Parameters<typeof startAttestedApp>[0]) => {
  await running.close();
  running = await startAttestedApp(options);
};
beforeEach(async () => {
  running = await startAttestedApp({ script: (chat) => void chat.answer('Hello') });
});
afterEach(() => running.close());

/** The facts of a complete start with arbitrary values. */
const startFacts = {
  build: { source: { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null } },
  libraries: [],
  config: {},
  models: [{ id: 'demo-TEE', kind: 'llama-text', device: 'CPU', files: [] }],
  agents: [],
  gpu: 'none',
  host: {},
} as unknown as StartFacts;

const errorOf = (text: string) => {
  const { error, details } = JSON.parse(text);
  return { ...error, details };
};

describe('the attestation report', () => {
  it('proves program and keys to a tenant who trusts the simulation root', async () => {
    await measureGpus(running.platform, startFacts.gpu);
    await measureFacts(running.platform, startFacts);
    const { text, headers } = await running.get(url);
    const spki = new X509Certificate(running.identity.certificate).publicKey.export({ type: 'spki', format: 'der' });
    const spkiSha256 = createHash('sha256').update(spki).digest('hex');
    const verification = await verifyEvidence(
      { report: text, nonce, observed: { host: '127.0.0.1', spkiSha256 } },
      {
        roots: [running.platform.simulation!.rootCa],
        nowMs: appNowMs,
        policy: { measurements: simulatedSoftware, sources: [{ repoCommit: 'c0ffee' }] },
      },
    );
    expect(verification.checks.filter(({ outcome, required }) => outcome !== 'pass' && required)).toEqual([]);
    expect(verification).toMatchObject({
      verdict: 'verified',
      simulated: true,
      keysetDigest: headers['x-aci-keyset-digest'],
      sealingKey: running.sealingKey.publicKey,
    });
  });

  it('is rejected by a tenant who trusts only Intel’s root', async () => {
    const { text } = await running.get(url);
    const { verdict } = await verifyEvidence(
      { report: text, nonce, observed: 'none' },
      { nowMs: appNowMs, policy: undefined },
    );
    expect(verdict).toBe('not-verified');
  });

  it('states in header and body that it is simulated', async () => {
    const { text, headers } = await running.get(url);
    expect(headers['x-confidential']).toBe('simulated');
    expect(JSON.parse(text).attestation.evidence.simulated).toBe(true);
  });

  it('binds its keyset and the nonce into the quote', async () => {
    const report = await running.report(nonce);
    const { body } = parseQuote(Buffer.from(String(report.evidence.quote), 'hex'));
    expect(Buffer.from(await requireReportData(report, nonce))).toEqual(Buffer.from(body.reportData));
    expect(sealingKey(report.keyset)).toEqual(running.sealingKey.publicKey);
    expect(report).toMatchObject({ serving: 'direct', sealingVersions: ['ehbp/1'] });
  });

  it('fails verification with another nonce or another keyset', async () => {
    const report = await running.report(nonce);
    await expect(requireReportData(report, '00'.repeat(32))).rejects.toThrow(/replayed or changed/);
    await expect(requireReportData(report, undefined)).rejects.toThrow(/replayed or changed/);
    const swapped = { ...report, keyset: { ...report.keyset, tlsPublicKeys: [{ spkiSha256: '00'.repeat(32) }] } };
    await expect(requireReportData(swapped, nonce)).rejects.toThrow(/names the keyset/);
  });

  it('without a nonce is renewed every ten minutes and does not prove freshness', async () => {
    const first = await running.get(path);
    expect((await running.get(path)).text).toBe(first.text);
    await requireReportData(await running.report(), undefined);
    running.advance(599_999);
    expect((await running.get(path)).text).toBe(first.text);
    running.advance(60_000);
    expect((await running.get(path)).text).not.toBe(first.text);
  });

  it('without a nonce is renewed on time even if the wall clock changes', async () => {
    let sinceStartMs = 0;
    await restart({ enclave: { clock: () => sinceStartMs } });
    const first = await running.get(path);
    running.advance(-86_400_000);
    sinceStartMs += 660_000;
    expect((await running.get(path)).text).not.toBe(first.text);
  });

  it.each([
    ['upper case', '0F'.repeat(32)],
    ['too short', '0f'.repeat(31)],
    ['too long', '0f'.repeat(33)],
    ['empty', ''],
    ['no hexadecimal', 'zz'.repeat(32)],
    ['twice', `${nonce}&nonce=${nonce}`],
    ['sent a second time as "Nonce"', `${nonce}&Nonce=${nonce}`],
    ['with a space', `${nonce}%20`],
  ])('rejects a nonce that is %s', async (_, value) => {
    const { status, text } = await running.get(`${path}?nonce=${value}`);
    expect([status, errorOf(text).type]).toEqual([400, 'invalid_request_error']);
  });

  it('is limited to four concurrent and twelve per minute for one address; reports without a nonce are not limited', async () => {
    for (let count = 0; count < 4; count++) expect((await running.get(url)).status).toBe(200);
    const { status, headers, text } = await running.get(url);
    expect([status, headers['retry-after'], errorOf(text).details.code]).toEqual([429, '5', 'ERR_ATTESTATION_BUSY']);
    // Pages of other origins read only headers that are exposed to them.
    expect(headers['access-control-expose-headers']).toBe('retry-after');
    expect((await running.get(path)).status).toBe(200);
    running.advance(5_000);
    expect((await running.get(url)).status).toBe(200);
  });
});

describe('the report', () => {
  it('is rate limited by network for IPv6, since one machine can use many addresses', async () => {
    const ask = async (remoteAddress: string) => (await running.app.inject({ url, remoteAddress })).statusCode;
    const statuses: number[] = [];
    for (const host of [1, 2, 3, 4, 5]) statuses.push(await ask(`2001:db8::${host}`));
    expect([...statuses, await ask('2001:db8:0:1::1')]).toEqual([200, 200, 200, 200, 429, 200]);
  });
});

describe('the keyset', () => {
  it('names a TLS key only if it was generated inside the enclave', async () => {
    expect(running.enclave.identity.keyset.tlsPublicKeys).toHaveLength(1);
    await restart({ enclave: { isTlsKeyBornInside: false } });
    expect(running.enclave.identity.keyset.tlsPublicKeys).toEqual([]);
  });

  it('keeps its keys and extends its expiry after half of its lifetime', async () => {
    const before = running.enclave.identity;
    running.advance(14 * 86_400_000);
    expect(running.enclave.identity).toBe(before);
    running.advance(2 * 86_400_000);
    const { keyset, digest } = running.enclave.identity;
    expect(digest).not.toBe(before.digest);
    expect({ ...keyset, notAfter: before.keyset.notAfter }).toEqual(before.keyset);
    expect((await running.get('/health/live')).headers['x-aci-keyset-digest']).toBe(digest);
  });
});

describe('every response', () => {
  it.each(['/health/live', '/v1/models', '/v1/nothing', '/nothing', url, `${path}?nonce=1`])(
    'names protocol and keyset in its headers: %s',
    async (where) => {
      const { headers } = await running.get(where);
      expect(headers).toMatchObject({
        'x-aci-version': 'aci/1',
        'x-aci-keyset-digest': running.enclave.identity.digest,
      });
      expect(headers['x-confidential']).toBe('simulated');
    },
  );

  it('names protocol and keyset also if it is a stream', async () => {
    const { headers } = await running.post(chatBody({ stream: true }));
    expect(headers).toMatchObject({ 'x-aci-version': 'aci/1', 'x-confidential': 'simulated' });
    expect(headers['x-receipt-id']).toMatch(/^rcpt-[\w-]{24}$/);
  });
});

describe('a server without attestation', () => {
  it('answers 503 and sends no attestation headers', async () => {
    const { book } = running;
    const aci = { enclave: () => undefined, book, build: () => 'x', modelRecord: () => undefined };
    const plain = await startTestApp({ overrides: { aci } });
    for (const where of [url, path]) {
      const { statusCode, headers, body } = await plain.app.inject({ url: where });
      expect([statusCode, headers['retry-after'], errorOf(body).details.code]).toEqual([503, '30', 'ERR_NOT_ATTESTED']);
      expect(Object.keys(headers).filter((name) => /aci|confidential|receipt/.test(name))).toEqual([]);
    }
    const headers = { authorization: `Bearer ${plain.secret}` };
    expect((await plain.app.inject({ url: '/v1/aci/receipts/rcpt-1', headers })).statusCode).toBe(503);
    await plain.close();
  });

  it.each([
    ['ERR_QUOTE_SERVICE_UNREACHABLE', 503],
    ['ERR_QUOTE_TIMEOUT', 503],
    ['ERR_QUOTE_BUSY', 429],
  ] as const)('reports a quote that fails with %s', async (code, status) => {
    const platform = await openSimulatedPlatform(appNowMs);
    const quote = () => Promise.reject(new AttestationError(code, 'the machine says no'));
    await restart({ enclave: { platform: { ...platform, startLog: [], quote } } });
    const answer = await running.get(url);
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBeDefined();
    expect(answer.text).not.toContain('the machine says no');
    // A failure is not cached: the next attempt may succeed.
    expect((await running.get(path)).status).toBe(status);
  });
});

it('an enclave that is still starting rejects requests to models, so that none is served unattested (I-049)', async () => {
  const { book } = running;
  const aci = {
    enclave: () => undefined,
    isStarting: () => true,
    book,
    build: () => 'x',
    modelRecord: () => undefined,
  };
  const plain = await startTestApp({ overrides: { aci } });
  const { status, headers, text } = await plain.post(chatBody());
  expect([status, headers['retry-after'], JSON.parse(text).details.code]).toEqual([503, '30', 'ERR_NOT_ATTESTED']);
  expect(plain.engine.chats).toEqual([]);
  const key = { authorization: `Bearer ${plain.secret}` };
  expect((await plain.app.inject({ url: '/v1/models', headers: key })).statusCode).toBe(200);
  expect((await plain.app.inject({ url: '/health/ready' })).statusCode).toBe(503);
  await plain.close();
});

describe('evidence of a real platform', () => {
  const realWith = async (collateralFor: () => Promise<never>) => {
    const platform = await openSimulatedPlatform(appNowMs);
    await restart({
      enclave: { platform: { ...platform, kind: 'tdx', simulation: undefined, startLog: [] }, collateralFor },
    });
  };

  it('has no collateral if Intel does not answer, and states the reason', async () => {
    const why = new AttestationError('ERR_COLLATERAL_UNAVAILABLE', 'api.example.org did not answer');
    await realWith(() => Promise.reject(why));
    const { evidence } = await running.report(nonce);
    expect(evidence).toMatchObject({ kind: 'cloister.tdx.v1', simulated: false, collateral: null, gpu: [] });
    expect(evidence.claims).toContainEqual({
      type: 'cloister.collateral-missing',
      value: 'ERR_COLLATERAL_UNAVAILABLE: api.example.org did not answer',
    });
    expect((await running.get(url)).headers['x-confidential']).toBe('true');
  });

  it('binds the GPU to the quote: the first half of the report data is the GPU’s nonce', async () => {
    const asked: string[] = [];
    await restart({
      enclave: {
        deviceEvidence: async (nonceOfGpu) => {
          asked.push(Buffer.from(nonceOfGpu).toString('hex'));
          const device = { report: Uint8Array.of(1, 2, 3), chainPem: 'PEM' };
          return { gpus: [device], switches: [{ ...device, uuid: 'SWX-0' }] };
        },
      },
    });
    const { reportData, evidence } = await running.report(nonce);
    expect(asked).toEqual([reportData]);
    const shown = [{ report: 'AQID', certificate_chain: 'PEM' }];
    expect([evidence.gpu, evidence.nvswitch]).toEqual([shown, shown]);
  });
});
