/** A server on loopback with a simulated platform and real evidence, and a man in the middle who terminates TLS. */
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { formatChannelProof } from '../../../attestation/aci/channel-proof.ts';
import { type Keyset, keysetDigest, sealingAlgorithm } from '../../../attestation/aci/keyset.ts';
import { formatReport, type SourceProvenance } from '../../../attestation/aci/report.ts';
import type { JsonObject } from '../../../attestation/aci/strict-json.ts';
import { toHex } from '../../../attestation/base/bytes.ts';
import { reportDataOf } from '../../../attestation/base/report-data.ts';
import { PinnedAgent, sendPinned } from '../../../attestation/client/pinned-https.ts';
import { formatCollateral } from '../../../attestation/collateral/collateral.ts';
import { replayStartLog, type StartEvent, type startEventNames } from '../../../attestation/eventlog/start-log.ts';
import { ChannelQuotes } from '../../../attestation/guest/channel-quotes.ts';
import {
  createSimulatedPlatform,
  type SimulatedPlatform,
  simulatedBoot,
} from '../../../attestation/simulate/platform.ts';
import type { SimulatedTd } from '../../../attestation/simulate/quote-writer.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';
import { channelEnds } from '../../../server/tls/channel-ends.ts';
import { makeIdentity, type TlsIdentity, tlsOptions } from '../../../server/tls/tls.ts';

export const commit = 'c0ffee'.padEnd(40, '0');
export const repositoryUrl = 'https://example.org/cloister';

/** A complete start log, with everything that the verifier reads. */
export const testStartLog: readonly StartEvent[] = Object.entries({
  gpu: { gpus: [] },
  build: { source: { commit, imageDigest: null, repositoryUrl } },
  libraries: { files: [] },
  configuration: { port: 8443 },
  model: { id: 'tiny', sha256: '00ff' },
  agents: { agents: [] },
  host: { swapAreas: 0 },
  ready: { models: 1 },
} satisfies Record<keyof typeof startEventNames, object>).map(([name, content]) => ({
  name: `cloister.${name}`,
  content: JSON.stringify(content),
}));

/** The start log with another content under one name. */
export function startLogWith(name: keyof typeof startEventNames, content: object): StartEvent[] {
  return testStartLog.map((event) =>
    event.name === `cloister.${name}` ? { ...event, content: JSON.stringify(content) } : event,
  );
}

/** The registers of a simulated boot, for a policy that pins the software. */
export const simulatedSoftware = (() => {
  const { mrTd, rtmrs } = simulatedBoot(new Uint8Array(48));
  const [rtmr0, rtmr1, rtmr2] = rtmrs!.map(toHex) as [string, string, string];
  return [{ mrTd: toHex(mrTd!), rtmr0, rtmr1, rtmr2 }];
})();

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Handle = (request: ReceivedRequest, response: ServerResponse) => void;

export interface AttestedServerOptions {
  readonly platform?: SimulatedPlatform;
  readonly identity?: TlsIdentity;
  readonly port?: number;
  readonly startLog?: readonly StartEvent[];
  /** The actual value of the register, if it differs from the log. */
  readonly measured?: readonly StartEvent[];
  readonly td?: SimulatedTd;
  readonly keyset?: Partial<Keyset>;
  readonly provenance?: Partial<SourceProvenance>;
  /** Changes the evidence after it was made. */
  readonly evidence?: (evidence: JsonObject, reportData: Uint8Array) => JsonObject | Promise<JsonObject>;
  /** Changes the report's text. */
  readonly report?: (text: string) => string;
  readonly handle?: Handle;
  /** Changes the answer that proves a connection. */
  readonly channel?: (text: string) => string;
  /** HTTP status sent instead of the report, with a Retry-After of 0; undefined sends the report. */
  readonly busy?: () => number | undefined;
}

export interface AttestedServer {
  readonly origin: string;
  readonly port: number;
  readonly platform: SimulatedPlatform;
  readonly rootPem: string;
  readonly identity: TlsIdentity;
  /** Secret halves of the keys that are made here. */
  readonly keys: ReturnType<typeof serverKeys>;
  keyset: Keyset;
  readonly requests: ReceivedRequest[];
  /** The number of requested reports. */
  attestations: number;
  /** Creates the proofs that bind connections to the server's evidence. */
  readonly channelQuotes: ChannelQuotes;
  report(nonce: string | undefined): Promise<string>;
  close(): Promise<void>;
}

function serverKeys() {
  return { receipt: generateKeyPairSync('ed25519'), sealing: generateKeyPairSync('x25519') };
}

export function rawPublicKey(key: { publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'] }): Uint8Array {
  const { x } = (key.publicKey as unknown as import('node:crypto').KeyObject).export({ format: 'jwk' });
  return new Uint8Array(Buffer.from(x!, 'base64url'));
}

export function spkiOf({ certificate }: TlsIdentity): string {
  const { publicKey } = new X509Certificate(certificate);
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

export async function startAttestedServer(options: AttestedServerOptions = {}): Promise<AttestedServer> {
  const platform = options.platform ?? (await createSimulatedPlatform(Date.now()));
  const identity = options.identity ?? makeIdentity({ host: '127.0.0.1', now: Date.now() });
  const keys = serverKeys();
  const startLog = options.startLog ?? testStartLog;
  const rtmr3 = await replayStartLog(options.measured ?? startLog);
  const makeQuote = (reportData: Uint8Array) => platform.quote(reportData, { ...simulatedBoot(rtmr3), ...options.td });
  const channelQuotes = new ChannelQuotes({ quote: makeQuote }, { now: () => performance.now() });
  const self: AttestedServer = {
    origin: '',
    port: 0,
    platform,
    identity,
    keys,
    rootPem: formatPemChain([platform.rootCa]),
    keyset: {
      subject: undefined,
      notAfter: Math.floor(Date.now() / 1000) + 86_400,
      receiptSigningKeys: [{ keyId: 'r1', algorithm: 'ed25519', publicKey: toHex(rawPublicKey(keys.receipt)) }],
      e2eePublicKeys: [{ keyId: 's1', algorithm: sealingAlgorithm, publicKey: toHex(rawPublicKey(keys.sealing)) }],
      tlsPublicKeys: [{ spkiSha256: spkiOf(identity) }],
      ...options.keyset,
    },
    requests: [],
    attestations: 0,
    channelQuotes,
    async report(nonce) {
      const digest = await keysetDigest(self.keyset);
      const reportData = await reportDataOf({ keysetDigest: digest.slice('sha256:'.length), nonce });
      const quote = await makeQuote(reportData);
      const evidence: JsonObject = {
        kind: 'cloister.tdx.v1',
        simulated: true,
        quote: Buffer.from(quote).toString('base64'),
        boot_log: null,
        start_log: startLog.map(({ name, content }) => ({ name, content })),
        gpu: [],
        collateral: JSON.parse(formatCollateral(platform.collateral)) as JsonObject,
        claims: [],
      };
      const text = formatReport({
        keysetDigest: digest,
        keyset: self.keyset,
        reportData: toHex(reportData.subarray(0, 32)),
        provenance: { repositoryUrl, commit, imageDigest: undefined, ...options.provenance },
        evidence: (await options.evidence?.(evidence, reportData)) ?? evidence,
        sealingVersions: ['ehbp/1'],
        serving: 'direct',
      });
      return options.report?.(text) ?? text;
    },
    close: () => server.close(),
  };
  const server = await listen(identity, options.port ?? 0, async (request, response) => {
    const url = new URL(request.url, 'https://localhost');
    response.setHeader('x-aci-keyset-digest', await keysetDigest(self.keyset));
    if (url.pathname === '/v1/aci/attestation') {
      self.attestations += 1;
      const busy = options.busy?.();
      if (busy !== undefined) {
        response.writeHead(busy, { 'retry-after': '0' }).end();
        return;
      }
      response.end(await self.report(url.searchParams.get('nonce') ?? undefined));
      return;
    }
    if (url.pathname === '/v1/aci/channel') {
      const digest = await keysetDigest(self.keyset);
      const nonce = url.searchParams.get('nonce')!;
      const statement = { nonce, ...channelEnds(response.socket!), keysetDigest: digest.slice('sha256:'.length) };
      const { quote, signed } = await channelQuotes.prove(statement, { client: 'test' });
      const proof = { keysetDigest: digest, quote: Buffer.from(quote).toString('base64'), signed };
      const text = formatChannelProof(proof);
      response.end(options.channel?.(text) ?? text);
      return;
    }
    self.requests.push(request);
    if (options.handle === undefined) response.end(JSON.stringify({ got: request.body.toString() }));
    else options.handle(request, response);
  });
  return Object.assign(self, { origin: `https://localhost:${server.port}`, port: server.port });
}

export interface ManInTheMiddle {
  readonly origin: string;
  readonly identity: TlsIdentity;
  /** The forwarded requests, except those for reports. */
  readonly requests: ReceivedRequest[];
  readonly answers: Buffer[];
  /** A fetch that trusts every server, like a client that does not verify attestation. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** A relay that terminates TLS with its own or a stolen key, forwards everything, and applies `change` to reports. */
export async function startManInTheMiddle(
  target: { readonly origin: string },
  change: { report?: (text: string, nonce: string) => string | Promise<string>; identity?: TlsIdentity } = {},
): Promise<ManInTheMiddle> {
  const identity = change.identity ?? makeIdentity({ host: '127.0.0.1', now: Date.now() });
  const requests: ReceivedRequest[] = [];
  const answers: Buffer[] = [];
  const trusting = new PinnedAgent({ accept: () => {} });
  const server = await listen(identity, 0, async (request, response) => {
    const url = new URL(request.url, target.origin);
    const isReport = url.pathname === '/v1/aci/attestation';
    const isEvidence = isReport || url.pathname === '/v1/aci/channel';
    if (!isEvidence) requests.push(request);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await sendPinned(trusting, { ...request, url, headers, body: request.body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    for (const [name, value] of answer.headers) if (name !== 'content-length') response.setHeader(name, value);
    response.statusCode = answer.status;
    if (!isEvidence) answers.push(bytes);
    const nonce = url.searchParams.get('nonce') ?? '';
    const changed = isReport ? await change.report?.(bytes.toString(), nonce) : undefined;
    response.removeHeader('transfer-encoding');
    response.end(changed ?? bytes);
  });
  const origin = `https://localhost:${server.port}`;
  return {
    ...{ origin, identity, requests, answers },
    async fetch(input, init) {
      const request = new Request(input, init);
      const body = new Uint8Array(await request.arrayBuffer());
      const { method, headers } = request;
      return sendPinned(trusting, { url: new URL(request.url), method, headers, body });
    },
    async close() {
      trusting.destroy();
      await server.close();
    },
  };
}

async function listen(
  identity: TlsIdentity,
  port: number,
  handle: (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = https.createServer(tlsOptions(identity), async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = '', url = '', headers } = incoming;
    // The client may have left: its connection has no ends any more.
    await Promise.resolve(handle({ method, url, headers, body: Buffer.concat(parts) }, response)).catch((error) => {
      if (!response.destroyed) throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
