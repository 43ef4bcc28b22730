/**
 * Proofs that this enclave is the server end of a TLS connection. A quote over the connection itself cannot be made in advance, and
 * hardware makes about one quote per second. So quotes are made in advance over keys generated here, one key per quote, and the key
 * signs the statement about the connection. No quote older than `lifetimeMs` is used; the start log measures this code.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { sameBytes, toHex } from '../base/bytes.ts';
import { type ChannelStatement, channelKeyText, channelReportData, channelText } from '../base/channel-data.ts';
import { AttestationError } from '../base/errors.ts';
import { parseQuote } from '../quote/quote.ts';
import { ClientBudget, type ClientBudgetLimits } from './client-budget.ts';
import type { AttestedPlatform } from './platform.ts';

export interface ChannelQuoteLimits extends ClientBudgetLimits {
  /** Number of quotes to keep ready. */
  readonly readyMax: number;
  /** Maximum age of a quote in use. */
  readonly lifetimeMs: number;
}

export const channelQuoteLimits: ChannelQuoteLimits = {
  readyMax: 32,
  lifetimeMs: 10 * 60_000,
  burst: 32,
  perMinute: 60,
  clientsMax: 10_000,
};

export interface ProvenChannel {
  readonly quote: Uint8Array;
  /** Undefined if the quote was made for this connection. */
  readonly signed: { readonly channelKey: string; readonly signature: string } | undefined;
}

/** Number of proofs by the origin of their quote: the pool, an earlier proof, or made for the connection. */
export interface ChannelQuoteCounts {
  readonly pooled: number;
  readonly shared: number;
  readonly direct: number;
}

/** If a quote takes no longer than this, a caller waits for the next one instead of sharing the last. */
const fastMs = 50;
/** How many quotes one caller waits for; earlier callers may take them first. */
const waitsMax = 64;

interface QuotedKey {
  readonly keysetDigest: string;
  readonly quote: Uint8Array;
  readonly channelKey: string;
  readonly privateKey: KeyObject;
  readonly madeAtMs: number;
}

export class ChannelQuotes {
  readonly #platform: Pick<AttestedPlatform, 'quote'>;
  readonly #limits: ChannelQuoteLimits;
  readonly #now: () => number;
  readonly #budget: ClientBudget;
  readonly #counts = { pooled: 0, shared: 0, direct: 0 };
  /** The keyset of the latest call. Quotes over an earlier keyset are discarded. */
  #keysetDigest = '';
  #ready: QuotedKey[] = [];
  /** The key taken last. It signs for further connections while the pool is empty. */
  #last: QuotedKey | undefined;
  #making: Promise<void> | undefined;
  /** How long the last quote took. */
  #makeMs = Number.POSITIVE_INFINITY;

  /** @param options.now a monotonic clock in milliseconds */
  constructor(
    platform: Pick<AttestedPlatform, 'quote'>,
    { now, limits = channelQuoteLimits }: { now: () => number; limits?: ChannelQuoteLimits },
  ) {
    this.#platform = platform;
    this.#limits = limits;
    this.#now = now;
    this.#budget = new ClientBudget(limits, now);
  }

  /** The ready quotes within their lifetime. */
  get ready(): number {
    return this.#ready.filter((key) => this.#isYoung(key)).length;
  }

  get counts(): ChannelQuoteCounts {
    return { ...this.#counts };
  }

  /**
   * A client that exceeds its budget shares the quote of the previous proof; the signature is its own.
   * @param client the account or address of the client, as far as known
   * @throws {TypeError} as `channelText` · @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async prove(
    statement: ChannelStatement,
    { client, signal }: { client: string; signal?: AbortSignal | undefined },
  ): Promise<ProvenChannel> {
    const text = channelText(statement);
    this.#keysetDigest = statement.keysetDigest;
    const isWithinShare = this.#budget.take(client) === 0;
    for (let waits = 0; ; waits++) {
      const key = this.#take({ isWithinShare, isPatient: this.#makeMs <= fastMs && waits < waitsMax });
      if (key !== undefined) {
        this.#refill();
        return signedBy(key, text);
      }
      if (this.#making === undefined || waits >= waitsMax) break;
      await abortable(this.#making, signal);
    }
    const direct = this.#platform.quote(channelReportData(text), signal === undefined ? {} : { signal });
    this.#refill();
    const quote = await direct;
    this.#counts.direct += 1;
    return { quote, signed: undefined };
  }

  /**
   * Takes a quote from the pool, or the last one again if the caller exceeded its budget or quotes are too slow to wait for.
   * @returns undefined if there is neither
   */
  #take({ isWithinShare, isPatient }: { isWithinShare: boolean; isPatient: boolean }): QuotedKey | undefined {
    const isUsable = (key: QuotedKey) => key.keysetDigest === this.#keysetDigest && this.#isYoung(key);
    this.#ready = this.#ready.filter(isUsable);
    if (this.#last !== undefined && !isUsable(this.#last)) this.#last = undefined;
    const key = isWithinShare || this.#last === undefined ? this.#ready.shift() : undefined;
    if (key !== undefined) {
      this.#counts.pooled += 1;
      this.#last = key;
      return key;
    }
    if (this.#last === undefined || (isWithinShare && isPatient && this.#making !== undefined)) return undefined;
    this.#counts.shared += 1;
    return this.#last;
  }

  #isYoung({ madeAtMs }: QuotedKey): boolean {
    return this.#now() - madeAtMs < this.#limits.lifetimeMs;
  }

  /** Makes one quote at a time, so that a report waits for at most one of them. */
  #refill(): void {
    if (this.#making !== undefined || this.#ready.length >= this.#limits.readyMax) return;
    const making = this.#makeOne(this.#keysetDigest);
    this.#making = making;
    making.then(
      () => {
        this.#making = undefined;
        this.#refill();
      },
      // Waiting callers reject with the error; the next call tries again.
      () => {
        this.#making = undefined;
      },
    );
  }

  async #makeOne(keysetDigest: string): Promise<void> {
    const madeAtMs = this.#now();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const channelKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
    const reportData = channelReportData(channelKeyText({ channelKey, keysetDigest }));
    const quote = await this.#platform.quote(reportData);
    this.#makeMs = this.#now() - madeAtMs;
    this.#dropOlder(quote);
    this.#ready.push({ keysetDigest, quote, channelKey, privateKey, madeAtMs });
  }

  /** Clients compare quotes with the one they verified, and refuse those made before the quoting enclave changed its key. */
  #dropOlder(quote: Uint8Array): void {
    const newest = this.#ready.at(-1) ?? this.#last;
    if (newest === undefined || isOfSameEnclave(newest.quote, quote)) return;
    this.#ready = [];
    this.#last = undefined;
  }
}

function isOfSameEnclave(quote: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [parseQuote(quote), parseQuote(other)];
  const members = ['attestationKey', 'qeReportBytes', 'pckChainPem'] as const;
  return members.every((name) => sameBytes(a[name], b[name]));
}

function signedBy({ quote, channelKey, privateKey }: QuotedKey, text: string): ProvenChannel {
  const signature = toHex(sign(null, Buffer.from(text), privateKey));
  return { quote, signed: { channelKey, signature } };
}

function abortable(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AttestationError('ERR_ABORTED', 'the caller aborted the request for a proof'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
