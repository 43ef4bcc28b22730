/** Connection proofs: their contents, their verification, and how quotes for them are generated in advance. */
import { describe, expect, it, vi } from 'vitest';
import { formatChannelProof, parseChannelProof } from '../../attestation/aci/channel-proof.ts';
import { channelKeyText, channelReportData, channelText } from '../../attestation/base/channel-data.ts';
import { AttestationError } from '../../attestation/base/errors.ts';
import { readChannelProof, requireBoundChannel, requireSameMachine } from '../../attestation/client/bound-channel.ts';
import { type ChannelQuoteLimits, ChannelQuotes, channelQuoteLimits } from '../../attestation/guest/channel-quotes.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';

const keysetDigest = 'aa'.repeat(32);
const [nonce, exporter, certificate] = ['bb', 'cc', 'dd'].map((pair) => pair.repeat(32)) as [string, string, string];
const statement = { nonce, exporter, certificate, keysetDigest };
const channel = { exporter, certificate };
const platform = await createSimulatedPlatform(Date.now());
const digest = `sha256:${keysetDigest}`;
const verified = { keysetDigest: digest, quote: parseQuote(await platform.quote(new Uint8Array(64))) };
const turn = () => new Promise((resolve) => setTimeout(resolve, 10));

const filled = (pool: ChannelQuotes, readyMax = channelQuoteLimits.readyMax) =>
  vi.waitFor(() => expect(pool.ready).toBe(readyMax), { timeout: 10_000, interval: 5 });

interface PoolOptions extends Partial<ChannelQuoteLimits> {
  /** The duration of a quote by the pool's clock. */
  readonly quoteMs?: number;
}

function openPool({ quoteMs = 0, ...limits }: PoolOptions = {}) {
  let time = 0;
  const made: Uint8Array[] = [];
  let fault: Error | undefined;
  const quote = async (reportData: Uint8Array) => {
    if (fault !== undefined) throw fault;
    made.push(reportData);
    time += quoteMs;
    return platform.quote(reportData);
  };
  const { readyMax } = { ...channelQuoteLimits, ...limits };
  const pool = new ChannelQuotes({ quote }, { now: () => time, limits: { ...channelQuoteLimits, ...limits } });
  return {
    filled: () => filled(pool, readyMax),
    ...{ pool, made },
    prove: (client = 'one', about = statement) => pool.prove(about, { client }),
    advance(ms: number) {
      time += ms;
    },
    failing(error: Error | undefined) {
      fault = error;
    },
  };
}

type Proven = Awaited<ReturnType<ChannelQuotes['prove']>>;
const textOf = ({ quote, signed }: Proven) =>
  formatChannelProof({ keysetDigest: digest, quote: Buffer.from(quote).toString('base64'), signed });
const judge = (proven: Proven, seen: { nonce?: string; exporter?: string; certificate?: string } = {}) => {
  const proof = readChannelProof(Buffer.from(textOf(proven)));
  requireSameMachine(proof, verified);
  requireBoundChannel(proof, { nonce: seen.nonce ?? nonce, channel: { ...channel, ...seen } });
};

describe('the statement about a connection', () => {
  it('has one canonical text, with every member', () => {
    expect(channelText(statement)).toBe(
      `{"certificate":"sha256:${certificate}","exporter":"${exporter}","keyset_digest":"sha256:${keysetDigest}","nonce":"${nonce}","purpose":"cloister.channel.v1"}`,
    );
    expect(channelKeyText({ channelKey: nonce, keysetDigest })).toBe(
      `{"channel_key":"${nonce}","keyset_digest":"sha256:${keysetDigest}","purpose":"cloister.channel_key.v1"}`,
    );
    const reportData = channelReportData('x');
    expect([reportData.length, reportData.slice(32).every((byte) => byte === 0)]).toEqual([64, true]);
  });

  it.each(['', 'BB'.repeat(32), `${'bb'.repeat(31)}"}`, 'bb'.repeat(33)])('accepts no member like %j', (value) => {
    for (const name of Object.keys(statement)) {
      expect(() => channelText({ ...statement, [name]: value })).toThrow(TypeError);
    }
    expect(() => channelKeyText({ channelKey: value, keysetDigest })).toThrow(TypeError);
  });
});

describe('a proof', () => {
  it('is valid for the connection, with a quote made for it or in advance', async () => {
    const { filled, prove } = openPool();
    const direct = await prove();
    await filled();
    const pooled = await prove();
    expect([direct.signed, pooled.signed?.signature.length]).toEqual([undefined, 128]);
    for (const proven of [direct, pooled]) expect(() => judge(proven)).not.toThrow();
  });

  it.each([
    ['another nonce', { nonce: '00'.repeat(32) }],
    ['another exporter: another connection', { exporter: '00'.repeat(32) }],
    ['another certificate: the other end of it', { certificate: '00'.repeat(32) }],
  ])('is rejected for %s', async (_, seen) => {
    const { filled, prove } = openPool();
    const direct = await prove();
    await filled();
    for (const proven of [direct, await prove()]) expect(() => judge(proven, seen)).toThrow(/made for/);
  });

  it('is rejected if its key is not in the quote', async () => {
    const { filled, prove } = openPool();
    await prove();
    await filled();
    const [one, other] = [await prove(), await prove()];
    expect(() => judge({ ...one, signed: other.signed })).toThrow(/made for another nonce/);
    expect(() => judge({ ...one, signed: undefined })).toThrow(/made for another nonce/);
    expect(() => judge({ ...one, signed: { ...one.signed!, signature: '00'.repeat(64) } })).toThrow(
      /proof was made for another connection/,
    );
  });

  it('is rejected if it is an ACI report instead', async () => {
    const { reportDataOf } = await import('../../attestation/base/report-data.ts');
    const quote = await platform.quote(await reportDataOf({ keysetDigest, nonce }));
    expect(() => judge({ quote, signed: undefined })).toThrow(/made for another nonce/);
  });

  it('is rejected if the quote was changed after signing', async () => {
    const { quote } = await openPool().prove();
    const forged = quote.slice();
    // A byte of the quote's signature, directly after the length of the authentication data.
    forged[640]! ^= 1;
    expect(() => judge({ quote: forged, signed: undefined })).toThrow(/signature of the quote/);
  });

  it('of another keyset, machine or state is rejected', async () => {
    const { quote } = await openPool().prove();
    const proof = readChannelProof(Buffer.from(textOf({ quote, signed: undefined })));
    const other = await createSimulatedPlatform(Date.now());
    const foreign = parseQuote(await other.quote(new Uint8Array(64)));
    const later = parseQuote(await platform.quote(new Uint8Array(64), { rtmrs: [new Uint8Array(48).fill(1)] }));
    expect(() => requireSameMachine(proof, { ...verified, keysetDigest: `sha256:${nonce}` })).toThrow(/names keyset/);
    expect(() => requireSameMachine(proof, { ...verified, quote: foreign })).toThrow(/a different machine/);
    expect(() => requireSameMachine(proof, { ...verified, quote: later })).toThrow(/a different state/);
  });

  it('has exactly one format', async () => {
    const { filled, prove } = openPool();
    await prove();
    await filled();
    const text = textOf(await prove());
    const members = JSON.parse(text) as Record<string, unknown>;
    expect(formatChannelProof({ ...parseChannelProof(text), quote: members.quote as string })).toBe(text);
    const wrong: Record<string, unknown>[] = [
      { ...members, version: 'cloister.channel.v2' },
      { ...members, keyset_digest: keysetDigest },
      { ...members, quote: 'not base64!' },
      { ...members, quote: 'A'.repeat(40_000) },
      { ...members, signature: null },
      { ...members, channel_key: null },
      { ...members, channel_key: 'AA'.repeat(32) },
      { ...members, more: 1 },
      ...Object.keys(members).map((name) =>
        Object.fromEntries(Object.entries(members).filter(([one]) => one !== name)),
      ),
    ];
    const malformed = expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' });
    for (const one of wrong) expect(() => parseChannelProof(JSON.stringify(one))).toThrow(malformed);
    expect(() => parseChannelProof(text.replace('{', '{"version":"cloister.channel.v1",'))).toThrow(malformed);
  });
});

describe('quotes for connections', () => {
  it('are made in advance after the first request, one for each connection', async () => {
    const { filled, pool, prove, made } = openPool({ readyMax: 4 });
    expect(made).toHaveLength(0);
    await prove();
    await filled();
    expect([pool.ready, made.length]).toEqual([4, 5]);
    const quotes = [await prove(), await prove(), await prove()].map(({ quote }) => Buffer.from(quote).toString('hex'));
    expect(new Set(quotes).size).toBe(3);
    await filled();
    expect([pool.ready, made.length]).toEqual([4, 8]);
    expect(pool.counts).toEqual({ pooled: 3, shared: 0, direct: 1 });
  });

  it('are one for each of many concurrent connections, if quotes are fast', async () => {
    const { filled, pool, prove } = openPool({ readyMax: 2, burst: 100 });
    await prove();
    await filled();
    const proven = await Promise.all(Array.from({ length: 20 }, () => prove()));
    expect(new Set(proven.map(({ signed }) => signed?.channelKey)).size).toBe(20);
    expect(pool.counts).toEqual({ pooled: 20, shared: 0, direct: 1 });
  });

  it('are shared if quotes are slow and none is ready', async () => {
    const { filled, pool, prove } = openPool({ readyMax: 2, quoteMs: 1000 });
    await prove();
    await filled();
    const proven = await Promise.all(Array.from({ length: 6 }, () => prove()));
    expect(pool.counts).toEqual({ pooled: 2, shared: 4, direct: 1 });
    const signatures = new Set(proven.map(({ signed }) => signed?.channelKey));
    expect(signatures.size).toBe(2);
    for (const one of proven) expect(() => judge(one)).not.toThrow();
  });

  it('are at most ten minutes old, and are not made without requests', async () => {
    const { filled, pool, prove, made, advance } = openPool({ readyMax: 2 });
    await prove();
    await filled();
    const count = made.length;
    advance(10 * 60_000 - 1);
    expect(pool.ready).toBe(2);
    advance(1);
    await turn();
    expect([pool.ready, made.length]).toEqual([0, count]);
    expect((await prove()).signed).toBeUndefined();
    expect(pool.counts.direct).toBe(2);
  });

  it('are discarded when the keyset changes', async () => {
    const { filled, prove } = openPool({ readyMax: 2 });
    await prove();
    await filled();
    const proven = await prove('one', { ...statement, keysetDigest: '11'.repeat(32) });
    expect(proven.signed).toBeUndefined();
    await filled();
    const proof = await prove('one', { ...statement, keysetDigest: '11'.repeat(32) });
    const text = channelKeyText({ channelKey: proof.signed!.channelKey, keysetDigest: '11'.repeat(32) });
    expect(parseQuote(proof.quote).body.reportData).toEqual(channelReportData(text));
  });

  it('are limited per client: beyond its budget it shares the last one', async () => {
    const { filled, pool, prove } = openPool({ burst: 2, perMinute: 1, readyMax: 8 });
    await prove('greedy');
    await filled();
    for (let count = 0; count < 5; count++) await prove('greedy');
    expect(pool.counts).toEqual({ pooled: 1, shared: 4, direct: 1 });
    expect(pool.ready).toBeGreaterThan(0);
    await prove('another');
    expect(pool.counts.pooled).toBe(2);
  });

  it('are made again after the quoting enclave of the host has changed its key', async () => {
    const other = await createSimulatedPlatform(Date.now());
    let from = platform;
    const pool = new ChannelQuotes({ quote: (reportData) => from.quote(reportData) }, { now: () => 0 });
    const prove = () => pool.prove(statement, { client: 'one' });
    await prove();
    await filled(pool);
    from = other;
    await prove();
    await filled(pool);
    const keys = [await prove(), await prove()].map(({ quote }) => parseQuote(quote).attestationKey);
    const expected = parseQuote(await other.quote(new Uint8Array(64))).attestationKey;
    expect(keys).toEqual([expected, expected]);
  });

  it("fail with the platform's error, and are retried", async () => {
    const { prove, failing } = openPool();
    const busy = new AttestationError('ERR_QUOTE_BUSY', 'busy');
    failing(busy);
    await expect(prove()).rejects.toBe(busy);
    failing(undefined);
    expect((await prove()).quote.length).toBeGreaterThan(0);
  });

  it('are not made for aborted callers', async () => {
    const held = Promise.withResolvers<Uint8Array>();
    const pool = new ChannelQuotes({ quote: () => held.promise }, { now: () => 0 });
    const first = pool.prove(statement, { client: 'a' });
    const controller = new AbortController();
    const second = pool.prove(statement, { client: 'b', signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    held.resolve(await platform.quote(channelReportData(channelText(statement))));
    await first;
  });
});
