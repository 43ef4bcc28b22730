/**
 * Proofs that this enclave ends a TLS connection. A quote over the connection itself cannot be made ahead, and hardware makes
 * about one a second; so quotes are made ahead over keys that are born here, one key per quote, and a key signs what the quote
 * would have said. A quote is as old as `lifetimeMs` at most: this code, which is measured, keeps it so.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { toHex } from '../bytes.ts';
import { type ChannelStatement, channelKeyText, channelReportData, channelText } from '../channel-data.ts';
import { AttestationError } from '../errors.ts';
import type { AttestedPlatform } from '../platform.ts';
import { ClientBudget, type ClientBudgetLimits } from './client-budget.ts';

export interface ChannelQuoteLimits extends ClientBudgetLimits {
  /** Quotes kept ready. */
  readonly readyMax: number;
  /** How old a quote may be that is still used. */
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
  /** Undefined where the quote was made for this very connection. */
  readonly signed: { readonly channelKey: string; readonly signature: string } | undefined;
}

/** How proofs were made so far: with a quote of their own made ahead, with one shared, or with one made for them. */
export interface ChannelQuoteCounts {
  readonly pooled: number;
  readonly shared: number;
  readonly direct: number;
}

/** Quotes that one caller waits for before asking for one of its own. */
const waitsMax = 2;

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
  /** Of the keyset that was asked about last: quotes over others are of no use any more. */
  #keysetDigest = '';
  #ready: QuotedKey[] = [];
  /** The one taken last. Where none is ready it vouches for another connection rather than to let that one wait. */
  #last: QuotedKey | undefined;
  #making: Promise<void> | undefined;

  /** @param options.now milliseconds that never go back */
  constructor(
    platform: Pick<AttestedPlatform, 'quote'>,
    { now, limits = channelQuoteLimits }: { now: () => number; limits?: ChannelQuoteLimits },
  ) {
    this.#platform = platform;
    this.#limits = limits;
    this.#now = now;
    this.#budget = new ClientBudget(limits, now);
  }

  /** Quotes that are ready and still young enough. */
  get ready(): number {
    return this.#ready.filter((key) => this.#isYoung(key)).length;
  }

  get counts(): ChannelQuoteCounts {
    return { ...this.#counts };
  }

  /**
   * A client that asks for more than its share gets the quote that was taken last, under a signature of its own.
   * @param client who asks, as far as is known
   * @throws {TypeError} as `channelText` · @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async prove(
    statement: ChannelStatement,
    { client, signal }: { client: string; signal?: AbortSignal | undefined },
  ): Promise<ProvenChannel> {
    const text = channelText(statement);
    const reportData = await channelReportData(text);
    this.#keysetDigest = statement.keysetDigest;
    const isWithinShare = this.#budget.take(client) === 0;
    for (let waits = 0; ; waits++) {
      const key = this.#takeReady(isWithinShare);
      if (key !== undefined) {
        this.#refill();
        return signedBy(key, text);
      }
      if (this.#making === undefined || waits === waitsMax) break;
      // Somebody else came first after a pause: the first quote that is made ahead is soon there.
      await abortable(this.#making, signal);
    }
    const direct = this.#platform.quote(reportData, signal === undefined ? {} : { signal });
    this.#refill();
    const quote = await direct;
    this.#counts.direct += 1;
    return { quote, signed: undefined };
  }

  #takeReady(isWithinShare: boolean): QuotedKey | undefined {
    const isUsable = (key: QuotedKey) => key.keysetDigest === this.#keysetDigest && this.#isYoung(key);
    this.#ready = this.#ready.filter(isUsable);
    if (this.#last !== undefined && !isUsable(this.#last)) this.#last = undefined;
    if (isWithinShare || this.#last === undefined) {
      const key = this.#ready.shift();
      if (key !== undefined) {
        this.#counts.pooled += 1;
        this.#last = key;
        return key;
      }
    }
    if (this.#last !== undefined) this.#counts.shared += 1;
    return this.#last;
  }

  #isYoung({ madeAtMs }: QuotedKey): boolean {
    return this.#now() - madeAtMs < this.#limits.lifetimeMs;
  }

  /** One quote at a time, so that whoever waits for a report waits for one of these at most. */
  #refill(): void {
    if (this.#making !== undefined || this.#ready.length >= this.#limits.readyMax) return;
    const making = this.#makeOne(this.#keysetDigest);
    this.#making = making;
    making.then(
      () => {
        this.#making = undefined;
        this.#refill();
      },
      // Whoever waits hears of it; the next one who asks tries again.
      () => {
        this.#making = undefined;
      },
    );
  }

  async #makeOne(keysetDigest: string): Promise<void> {
    const madeAtMs = this.#now();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const channelKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
    const reportData = await channelReportData(channelKeyText({ channelKey, keysetDigest }));
    const quote = await this.#platform.quote(reportData);
    this.#ready.push({ keysetDigest, quote, channelKey, privateKey, madeAtMs });
  }
}

function signedBy({ quote, channelKey, privateKey }: QuotedKey, text: string): ProvenChannel {
  const signature = toHex(sign(null, Buffer.from(text), privateKey));
  return { quote, signed: { channelKey, signature } };
}

function abortable(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AttestationError('ERR_ABORTED', 'the caller does not wait for the proof any more'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
