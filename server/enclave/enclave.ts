/**
 * The identity of this process: keys created in it, and quotes that bind them to the machine. It needs a platform, real or
 * simulated.
 */
import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { formatChannelProof } from '@cloister/attestation/aci/channel-proof';
import { canonicalBytes } from '@cloister/attestation/aci/jcs';
import {
  type Keyset,
  keysetDocument,
  receiptAlgorithm,
  sealingAlgorithm,
  sealingVersion,
} from '@cloister/attestation/aci/keyset';
import { formatReport, type SourceProvenance } from '@cloister/attestation/aci/report';
import { toHex } from '@cloister/attestation/base/bytes';
import { channelReportData } from '@cloister/attestation/base/channel-data';
import { reportDataOf } from '@cloister/attestation/base/report-data';
import { type JoinStatement, joinText } from '@cloister/attestation/fleet/join';
import { type ChannelQuoteCounts, ChannelQuotes } from '@cloister/attestation/guest/channel-quotes';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import { QuoteQueue } from '@cloister/attestation/guest/quote-queue';
import { collateralExpiry, type EvidenceSources, gatherEvidence } from './enclave-evidence.ts';
import { LogGate } from './log-gate.ts';

export interface EnclaveOptions extends EvidenceSources {
  readonly platform: AttestedPlatform;
  /** PEM. */
  readonly certificate: string;
  /** False for a key that the operator configured: it may be known elsewhere, so the keyset does not contain it. */
  readonly isTlsKeyBornInside: boolean;
  /** The current X25519 key, 32 bytes; it is rotated. Undefined if the server has no sealed bodies. */
  readonly sealingKey: { readonly publicKey: Uint8Array } | undefined;
  readonly provenance: SourceProvenance;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export interface ReportCall {
  /** 64 lowercase hexadecimal digits; undefined: the shared report, which is cached for a minute. */
  readonly nonce: string | undefined;
  /** The caller's network, which the limit of fresh quotes counts by. */
  readonly client: string;
  readonly signal?: AbortSignal | undefined;
}

/** A TLS connection that requests a proof; digests and exporter are 64 lowercase hexadecimal digits. */
export interface ChannelCall extends ReportCall {
  readonly nonce: string;
  /** Keying material exported from the connection: see `channelExporter`. */
  readonly exporter: string;
  /** SHA-256 of the DER of the connection's certificate. */
  readonly certificate: string;
}

/** A keyset and its digest. */
export interface Identity {
  readonly keyset: Keyset;
  /** `sha256:…` */
  readonly digest: string;
}

/** Lifetime of a keyset. After half of it, the same keys get a later expiry and so a new digest. */
const keysetLifetimeMs = 30 * 86_400_000;

/** Lifetime of the cached shared report. */
const openReportLifetimeMs = 60_000;

export class Enclave {
  /** ID of the key that signs receipts. */
  readonly receiptKeyId: string;
  readonly #options: EnclaveOptions;
  readonly #receiptKey = generateKeyPairSync('ed25519');
  readonly #quotes: QuoteQueue;
  readonly #channelQuotes: ChannelQuotes;
  readonly #gate = new LogGate();
  #identity: Identity | undefined;
  #extensions = 0;
  /** The number of extensions of the start log when the identity was made. */
  #identityExtensions = 0;
  /** The sealing key of the identity. */
  #sealingKey: Uint8Array | undefined;
  #openReport: { readonly text: Promise<string>; readonly digest: string; readonly madeAt: number } | undefined;

  constructor(options: EnclaveOptions) {
    this.#options = options;
    this.#quotes = new QuoteQueue(options.platform, { now: options.clock });
    this.#channelQuotes = new ChannelQuotes(options.platform, { now: options.clock });
    this.receiptKeyId = `receipt-${sha256(this.#rawReceiptKey()).slice(0, 16)}`;
  }

  /** Every output of a simulated enclave must be labelled as such. */
  get isSimulated(): boolean {
    return this.#options.platform.kind === 'simulated';
  }

  /** The current keyset. */
  get identity(): Identity {
    const now = this.#options.now();
    const isOld = (keyset: Keyset) => keyset.notAfter * 1000 - now < keysetLifetimeMs / 2;
    const hasOtherKey = this.#sealingKey !== this.#options.sealingKey?.publicKey;
    const hasOtherLog = this.#identityExtensions !== this.#extensions;
    if (this.#identity === undefined || hasOtherKey || hasOtherLog || isOld(this.#identity.keyset)) {
      this.#identityExtensions = this.#extensions;
      // With the same keys, only another expiry gives another digest.
      const earliest = (this.#identity?.keyset.notAfter ?? 0) + 1;
      const keyset = this.#buildKeyset(Math.max(earliest, Math.floor((now + keysetLifetimeMs) / 1000)));
      this.#identity = { keyset, digest: `sha256:${sha256(canonicalBytes(keysetDocument(keyset)))}` };
    }
    return this.#identity;
  }

  /** How often the start log was extended since the start. */
  get extensions(): number {
    return this.#extensions;
  }

  /**
   * Extends the start log. The keyset then has a new digest, although its keys stay: clients notice it, verify again, and see the
   * longer log; and no quote made before is used any more.
   * @param measure appends the events · @throws the error of `measure`
   */
  async extendLog(measure: () => Promise<void>): Promise<void> {
    await this.#gate.extend(async () => {
      try {
        await measure();
      } finally {
        this.#extensions += 1;
      }
    });
  }

  /** Ed25519, synchronous: tens of microseconds. @returns 64 bytes */
  signReceipt(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.#receiptKey.privateKey);
  }

  /** @returns JSON · @throws {AttestationError} ERR_QUOTE_RATE_LIMITED, and as `AttestedPlatform.quote` */
  async report(call: ReportCall): Promise<string> {
    if (call.nonce !== undefined) return this.#makeReport(call);
    const { digest } = this.identity;
    const now = this.#options.clock();
    const kept = this.#openReport;
    if (kept !== undefined && kept.digest === digest && now - kept.madeAt < openReportLifetimeMs) return kept.text;
    // Without the signal of this caller, since other callers wait for the same report.
    const made = { text: this.#makeReport({ nonce: undefined, client: '' }), digest, madeAt: now };
    this.#openReport = made;
    made.text.catch(() => {
      if (this.#openReport === made) this.#openReport = undefined;
    });
    return made.text;
  }

  /** @returns a JSON proof that this connection ends here · @throws {AttestationError} as `AttestedPlatform.quote` */
  async proveChannel({ nonce, exporter, certificate, client, signal }: ChannelCall): Promise<string> {
    return await this.#gate.make(async () => {
      const { digest } = this.identity;
      const statement = { nonce, exporter, certificate, keysetDigest: digest.slice('sha256:'.length) };
      const { quote, signed } = await this.#channelQuotes.prove(statement, { client, signal });
      return formatChannelProof({ keysetDigest: digest, quote: Buffer.from(quote).toString('base64'), signed });
    });
  }

  /**
   * Proves to another node that this one chose the key to seal the secrets of the fleet to.
   * @param statement what the quote is over, in addition to the keyset
   * @returns the quote · @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async proveJoin(
    statement: Omit<JoinStatement, 'keysetDigest'>,
    options: { signal: AbortSignal },
  ): Promise<Uint8Array> {
    return await this.#gate.make(() => {
      const text = joinText({ ...statement, keysetDigest: this.identity.digest });
      return this.#options.platform.quote(channelReportData(text), options);
    });
  }

  /** Statistics of the quotes for connections. */
  get channelQuotes(): { readonly ready: number; readonly counts: ChannelQuoteCounts } {
    return this.#channelQuotes;
  }

  /**
   * Checks that the machine gives quotes, by the shared report.
   * @returns the end of validity of the keyset and the collateral, milliseconds since 1970
   * @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async evidenceValidUntil(): Promise<number> {
    return await this.#gate.make(async () => {
      const { keyset, digest } = this.identity;
      const reportData = await reportDataOf({ keysetDigest: digest.slice('sha256:'.length), nonce: undefined });
      const expiry = await collateralExpiry(await this.#quotes.cached(reportData), this.#options);
      return Math.min(keyset.notAfter * 1000, expiry ?? Number.POSITIVE_INFINITY);
    });
  }

  /** Age of the quote in the shared report, milliseconds; undefined without one. */
  get evidenceAgeMs(): number | undefined {
    return this.#quotes.cachedAgeMs;
  }

  #makeReport(call: ReportCall): Promise<string> {
    return this.#gate.make(() => this.#makeReportNow(call));
  }

  async #makeReportNow({ nonce, client, signal }: ReportCall): Promise<string> {
    const { keyset, digest } = this.identity;
    const reportData = await reportDataOf({ keysetDigest: digest.slice('sha256:'.length), nonce });
    const makeQuote = () =>
      nonce === undefined
        ? this.#quotes.cached(reportData)
        : this.#quotes.fresh(client, reportData, signal === undefined ? {} : { signal });
    const evidence = await gatherEvidence({ reportData, makeQuote, signal }, this.#options);
    return formatReport({
      keysetDigest: digest,
      keyset,
      reportData: toHex(reportData.subarray(0, 32)),
      provenance: this.#options.provenance,
      evidence,
      sealingVersions: this.#options.sealingKey === undefined ? [] : [sealingVersion],
      serving: 'direct',
    });
  }

  #buildKeyset(notAfter: number): Keyset {
    const { certificate, isTlsKeyBornInside, sealingKey } = this.#options;
    this.#sealingKey = sealingKey?.publicKey;
    const sealing = this.#sealingKey === undefined ? [] : [{ publicKey: this.#sealingKey }];
    return {
      subject: undefined,
      notAfter,
      receiptSigningKeys: [
        { keyId: this.receiptKeyId, algorithm: receiptAlgorithm, publicKey: toHex(this.#rawReceiptKey()) },
      ],
      e2eePublicKeys: sealing.map(({ publicKey }) => ({
        keyId: `sealing-${sha256(publicKey).slice(0, 16)}`,
        algorithm: sealingAlgorithm,
        publicKey: toHex(publicKey),
      })),
      tlsPublicKeys: isTlsKeyBornInside ? [{ spkiSha256: sha256(spkiOf(certificate)) }] : [],
    };
  }

  #rawReceiptKey(): Uint8Array {
    return new Uint8Array(Buffer.from(this.#receiptKey.publicKey.export({ format: 'jwk' }).x!, 'base64url'));
  }
}

/** DER of the public key of the first certificate in a PEM text. */
export function spkiOf(certificate: string): Uint8Array {
  return new Uint8Array(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
