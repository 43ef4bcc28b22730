/** The tenant's client against the real application: plain and sealed, with receipts, and with a man in the middle. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attestServer } from '../../../../attestation/client/attest-server.ts';
import {
  type AttestedFetch,
  type AttestedFetchOptions,
  attestedFetch,
} from '../../../../attestation/client/attested-fetch.ts';
import { checkReceipt } from '../../../../attestation/client/check-receipt.ts';
import { PinnedAgent, sendPinned } from '../../../../attestation/client/pinned-https.ts';
import { type SealedFetchOptions, sealedFetch } from '../../../../attestation/client/sealed-fetch.ts';
import type { EvidencePolicy } from '../../../../attestation/policy/evidence-policy.ts';
import { verdictOf } from '../../../../attestation/verify/checks.ts';
import {
  simulatedSoftware,
  startAttestedServer,
  startLogWith,
  startManInTheMiddle,
} from '../../../support/attestation/attested-server.ts';
import { type AttestedApp, appNowMs, startAttestedApp } from '../../../support/server/attested-app.ts';
import { modelId } from '../../../support/server/test-app.ts';

const source = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null };
const policy: EvidencePolicy = { measurements: simulatedSoftware, sources: [{ repoCommit: 'c0ffee' }] };
const prompt = 'a secret of mine';
const ask = { model: modelId, messages: [{ role: 'user' as const, content: prompt }] };
let app: AttestedApp;
let baseURL: string;
let roots: readonly Uint8Array[];

beforeAll(async () => {
  app = await startAttestedApp({ script: (chat) => void chat.answer('Good', ' day') });
  for (const event of startLogWith('build', { source })) await app.platform.measure(event);
  baseURL = await app.listen();
  roots = [app.platform.simulation!.rootCa];
});
afterAll(() => app.close());
// The server limits the nonces per minute.
beforeEach(() => app.advance(60_000));

const attested = (options: AttestedFetchOptions = {}) =>
  attestedFetch(policy, { roots, now: () => appNowMs, ...options });
const client = (fetch: AttestedFetch, url = baseURL) =>
  new OpenAI({ baseURL: url, apiKey: app.secret, fetch, maxRetries: 0 });

/** Remembers the exact bytes of the last exchange. */
function recording(send: AttestedFetch) {
  const seen = { request: new Uint8Array(), response: new Uint8Array(), receiptId: '' };
  const fetch: AttestedFetch = async (input, init) => {
    const answer = await send(input, init);
    seen.request = new Uint8Array(await new Request('https://x', { ...init, signal: null }).arrayBuffer());
    seen.response = new Uint8Array(await answer.clone().arrayBuffer());
    seen.receiptId = answer.headers.get('x-receipt-id') ?? '';
    return answer;
  };
  return { seen, fetch };
}

describe.each([
  ['over its own connection', {}],
  ['sealed as well', { seal: true }],
])('the openai client through attestedFetch, %s', (_, options) => {
  it('receives whole answers and streams', async () => {
    const openai = client(attested(options));
    const whole = await openai.chat.completions.create(ask);
    expect(whole.choices[0]?.message.content).toBeTruthy();
    let streamed = '';
    for await (const chunk of await openai.chat.completions.create({ ...ask, stream: true })) {
      streamed += chunk.choices[0]?.delta.content ?? '';
    }
    expect(streamed).toBe(whole.choices[0]?.message.content);
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual([modelId]);
  });

  it('receives the server’s error', async () => {
    const wrong = client(attested(options)).chat.completions.create({ ...ask, temperature: 9 });
    await expect(wrong).rejects.toMatchObject({ status: 400, message: expect.stringContaining('temperature') });
  });

  it.each([false, true])('gets a receipt for the exact bytes of an answer (stream: %s)', async (stream) => {
    const { seen, fetch } = recording(attested(options));
    const answer = await client(fetch).chat.completions.create({ ...ask, stream } as never);
    if (stream) for await (const _ of answer as unknown as AsyncIterable<unknown>);
    const url = `${baseURL}/aci/receipts/${seen.receiptId}`;
    const receipt = await (await attested()(url, { headers: { authorization: `Bearer ${app.secret}` } })).text();
    const { verification: evidence } = await attestServer(new URL(baseURL).origin, {
      policy,
      roots,
      now: () => appNowMs,
    });
    const check = async (text: string, bodies: { request: Uint8Array; response: Uint8Array }) => {
      const { checks } = await checkReceipt({ receipt: text, evidence, ...bodies });
      return [verdictOf(checks), ...checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)];
    };
    const { request, response } = seen;
    expect(await check(receipt, seen)).toEqual(['verified']);
    expect(await check(receipt, { request: response, response })).toEqual(['not-verified', 'receipt-request']);
    expect(await check(receipt, { request, response: request })).toEqual(['not-verified', 'receipt-response']);
    const edited = receipt.replace('ab'.repeat(32), 'ac'.repeat(32));
    expect(await check(edited, seen)).toEqual(['not-verified', 'receipt-signature']);
  });
});

describe('a client that seals', () => {
  it('verifies again and retries once when the server has another sealing key', async () => {
    const seen: string[] = [];
    const stale = sealedFetch(policy, {
      ...{ roots, now: () => appNowMs },
      fetch: async (input, init) => {
        const request = new Request(input, init);
        seen.push(new URL(request.url).pathname);
        // The server was restarted between its verification and the first sealed request.
        if (seen.length === 2) {
          const type = 'urn:ietf:params:ehbp:error:key-config';
          return Response.json({ type }, { status: 422, headers: { 'content-type': 'application/problem+json' } });
        }
        return trusting(request);
      },
    });
    const answer = await stale(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask),
    });
    expect(answer.status).toBe(200);
    const [report, chat] = ['/v1/aci/attestation', '/v1/chat/completions'];
    expect(seen).toEqual([report, chat, report, chat]);
  });

  it('sends nothing to a server whose keyset has no sealing key', async () => {
    const server = await startAttestedServer({ keyset: { e2eePublicKeys: [] } });
    const send = attestedFetch({ measurements: 'any' }, { roots: server.rootPem, seal: true })(server.origin, {
      method: 'POST',
      body: prompt,
    });
    await expect(send).rejects.toThrow(/no attested key to seal bodies to/);
    expect(server.requests).toEqual([]);
    await server.close();
  });
});

/** The fetch of a web page, which does not check the TLS key. */
async function trusting(request: Request): Promise<Response> {
  const agent = new PinnedAgent({ accept: () => {} });
  const { url, method, headers } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  return sendPinned(agent, { url: new URL(url), method, headers, body });
}

describe('a man in the middle', () => {
  const pageFetch = (options: SealedFetchOptions = {}) =>
    sealedFetch(policy, { roots, now: () => appNowMs, fetch: throughTheMiddle, ...options });
  let middle: Awaited<ReturnType<typeof startManInTheMiddle>>;
  /** The fetch of a web page, which accepts any certificate. */
  let throughTheMiddle: AttestedFetch;
  let change: { report?: (text: string) => string; answer?: (answer: Response) => Response } = {};

  beforeAll(async () => {
    middle = await startManInTheMiddle(
      { origin: new URL(baseURL).origin },
      { report: (text) => change.report?.(text) ?? text },
    );
    throughTheMiddle = async (input, init) => {
      const answer = await middle.fetch(input, init);
      return change.answer?.(answer) ?? answer;
    };
  });
  afterAll(() => middle.close());

  const send = (fetch: AttestedFetch) =>
    fetch(`${middle.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask),
    });

  it('receives nothing from a client that checks the TLS key of its connection', async () => {
    await expect(send(attested())).rejects.toMatchObject({
      code: 'ERR_NOT_VERIFIED',
      message: expect.stringMatching(/not among the 1 attested TLS keys/),
    });
    expect(middle.requests).toEqual([]);
  });

  it('forwards the sealed requests of a page without being able to read them', async () => {
    const answer = await send(pageFetch());
    const { choices } = (await answer.json()) as OpenAI.ChatCompletion;
    expect(choices[0]?.message.content).toBeTruthy();
    expect(middle.requests).toHaveLength(1);
    expect(middle.requests[0]!.body.includes(prompt)).toBe(false);
    expect(middle.answers.some((bytes) => bytes.includes(choices[0]!.message.content!))).toBe(false);
  });

  it('cannot forge a response of the server', async () => {
    change = { answer: () => Response.json({ choices: [{ message: { content: 'trust me' } }] }) };
    const isReport = (url: string) => url.includes('/aci/attestation');
    const fetch: AttestedFetch = (input, init) =>
      isReport(String(input)) ? middle.fetch(input, init) : throughTheMiddle(input, init);
    await expect(send(pageFetch({ fetch }))).rejects.toMatchObject({ code: 'ERR_SEALED_STRIPPED' });
    change = {};
  });

  it('cannot insert its own sealing key into the report', async () => {
    change = { report: (text) => text.replace(/("algo":"ehbp[^}]*"public_key":")..../, '$1beef') };
    await expect(send(pageFetch())).rejects.toMatchObject({
      code: 'ERR_NOT_VERIFIED',
      message: expect.stringMatching(/the report names the keyset/),
    });
    change = {};
  });

  it('receives nothing from a page whose request has no body to seal', async () => {
    await expect(pageFetch()(`${middle.origin}/v1/models`)).rejects.toThrow(TypeError);
  });
});
