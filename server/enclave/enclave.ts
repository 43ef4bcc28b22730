/**
 * The identity of this process: keys that were born in it, and a quote that binds them to the machine. Whoever is asked who
 * it is asks here. Nothing of it exists without a platform, real or openly simulated.
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
import { reportDataOf } from '@cloister/attestation/base/report-data';
import { type ChannelQuoteCounts, ChannelQuotes } from '@cloister/attestation/guest/channel-quotes';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import { QuoteQueue } from '@cloister/attestation/guest/quote-queue';
import { collateralExpiry, type EvidenceSources, gatherEvidence } from './enclave-evidence.ts';

export interface EnclaveOptions extends EvidenceSources {
  readonly platform: AttestedPlatform;
  /** PEM. */
  readonly certificate: string;
  /** False for a key that an operator brought: it may be known outside, so nobody is told to trust it. */
  readonly isTlsKeyBornInside: boolean;
  /** X25519, 32 bytes, which changes from time to time; undefined where bodies cannot be sealed. */
  readonly sealingKey: { readonly publicKey: Uint8Array } | undefined;
  readonly provenance: SourceProvenance;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

export interface ReportCall {
  /** 64 lowercase hexadecimal digits; undefined: the report for everybody, which is kept for a minute. */
  readonly nonce: string | undefined;
  /** Who asks, as far as is known: so many fresh quotes each. */
  readonly client: string;
  readonly signal?: AbortSignal | undefined;
}

/** A TLS connection that asks for a proof of its own; digests and exporter are 64 lowercase hexadecimal digits. */
export interface ChannelCall extends ReportCall {
  readonly nonce: string;
  /** As the connection exports it: see `channelExporter`. */
  readonly exporter: string;
  /** SHA-256 of the certificate that was shown on it, DER. */
  readonly certificate: string;
}

/** A keyset and its name. */
export interface Identity {
  readonly keyset: Keyset;
  /** `sha256:…` */
  readonly digest: string;
}

/** How long a keyset lives; at half of it the same keys get a later end, and so a new digest. */
const keysetLifetimeMs = 30 * 86_400_000;

/** How long the report for everybody is served before it is made anew. */
const openReportLifetimeMs = 60_000;

export class Enclave {
  /** Of the key that signs receipts. */
  readonly receiptKeyId: string;
  readonly #options: EnclaveOptions;
  readonly #receiptKey = generateKeyPairSync('ed25519');
  readonly #quotes: QuoteQueue;
  readonly #channelQuotes: ChannelQuotes;
  #identity: Identity | undefined;
  /** Of the identity. */
  #sealingKey: Uint8Array | undefined;
  #openReport: { readonly text: Promise<string>; readonly digest: string; readonly madeAt: number } | undefined;

  constructor(options: EnclaveOptions) {
    this.#options = options;
    this.#quotes = new QuoteQueue(options.platform, { now: options.clock });
    this.#channelQuotes = new ChannelQuotes(options.platform, { now: options.clock });
    this.receiptKeyId = `receipt-${sha256(this.#rawReceiptKey()).slice(0, 16)}`;
  }

  /** Whoever shows anything of a simulated one says so. */
  get isSimulated(): boolean {
    return this.#options.platform.kind === 'simulated';
  }

  /** The keyset that holds now. */
  get identity(): Identity {
    const now = this.#options.now();
    const isOld = (keyset: Keyset) => keyset.notAfter * 1000 - now < keysetLifetimeMs / 2;
    const hasOtherKey = this.#sealingKey !== this.#options.sealingKey?.publicKey;
    if (this.#identity === undefined || hasOtherKey || isOld(this.#identity.keyset)) {
      const keyset = this.#buildKeyset(Math.floor((now + keysetLifetimeMs) / 1000));
      this.#identity = { keyset, digest: `sha256:${sha256(canonicalBytes(keysetDocument(keyset)))}` };
    }
    return this.#identity;
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
    // Not with the signal of one caller: others wait for it too.
    const made = { text: this.#makeReport({ nonce: undefined, client: '' }), digest, madeAt: now };
    this.#openReport = made;
    made.text.catch(() => {
      if (this.#openReport === made) this.#openReport = undefined;
    });
    return made.text;
  }

  /** @returns JSON that says to this one connection that it ends here · @throws {AttestationError} as `AttestedPlatform.quote` */
  async proveChannel({ nonce, exporter, certificate, client, signal }: ChannelCall): Promise<string> {
    const { digest } = this.identity;
    const statement = { nonce, exporter, certificate, keysetDigest: digest.slice('sha256:'.length) };
    const { quote, signed } = await this.#channelQuotes.prove(statement, { client, signal });
    return formatChannelProof({ keysetDigest: digest, quote: Buffer.from(quote).toString('base64'), signed });
  }

  /** Quotes that are kept ready for connections, and how the proofs so far were made. */
  get channelQuotes(): { readonly ready: number; readonly counts: ChannelQuoteCounts } {
    return this.#channelQuotes;
  }

  /**
   * Makes sure that the machine gives quotes; the one for everybody serves, as long as it is kept.
   * @returns until when the keyset and the collateral of the evidence are valid, milliseconds since 1970
   * @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async evidenceValidUntil(): Promise<number> {
    const { keyset, digest } = this.identity;
    const reportData = await reportDataOf({ keysetDigest: digest.slice('sha256:'.length), nonce: undefined });
    const expiry = await collateralExpiry(await this.#quotes.cached(reportData), this.#options);
    return Math.min(keyset.notAfter * 1000, expiry ?? Number.POSITIVE_INFINITY);
  }

  async #makeReport({ nonce, client, signal }: ReportCall): Promise<string> {
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
