/**
 * A starting node's side of getting the secrets of its fleet. It verifies running nodes against the policy of the fleet before its
 * start is measured, so that the start log names them. Afterwards it proves to one of these that it satisfies the policy too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AttestationError } from '@cloister/attestation/base/errors';
import { type AttestedFetch, attestedFetch } from '@cloister/attestation/client/attested-fetch';
import { boundedBody } from '@cloister/attestation/client/bounded-body';
import { fetchReport } from '@cloister/attestation/client/fetch-report';
import { randomNonce } from '@cloister/attestation/client/report-request';
import {
  formatJoinRequest,
  type JoinChallenge,
  joinAnswerCharactersMax,
  joinPath,
  parseJoinChallenge,
  parseSealedSecrets,
  type SealedSecrets,
} from '@cloister/attestation/fleet/join';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { FrameReader } from '@cloister/attestation/sealed/frames';
import type { Enclave } from '../enclave/enclave.ts';
import { createSealingKey, type SealingKey } from '../enclave/sealing-key.ts';
import { ServerError } from '../http/errors.ts';
import type { Joining } from '../program/announcements.ts';
import { demandsHardware, rootsFor } from './evidence-roots.ts';
import { parseSharedSecrets, type SharedSecrets, secretBytesMax } from './shared-secrets.ts';

export interface JoinerOptions {
  /** Origins of running nodes, at least one. */
  readonly addresses: readonly string[];
  readonly policy: EvidencePolicy;
  readonly isSimulated: boolean;
  readonly onStep: (step: Joining) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Waits, for tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A verified running node. */
export interface Giver {
  readonly address: string;
  /** `sha256:…` */
  readonly keysetDigest: string;
  readonly send: AttestedFetch;
}

/** Time limit of everything that one node is asked at once. */
const askTimeoutMs = 30_000;
const firstPauseMs = 1_000;
const pauseMsMax = 30_000;
/** After the start was measured, the nodes that it names must give the secrets in this time; then only a new start can name others. */
const receiveMs = 180_000;
const reasonCharactersMax = 300;
const secretsBytesMax = 3 * secretBytesMax + 1024;

export class Joiner {
  readonly #options: JoinerOptions;

  constructor(options: JoinerOptions) {
    this.#options = options;
  }

  /**
   * Verifies the nodes and asks each for a nonce, until at least one is verified and ready to give. Waits between rounds, at most 30
   * seconds; there is no last round, so that a fleet that is down is joined when it is back.
   * @throws the reason of the signal
   */
  async findGivers({ signal }: { signal: AbortSignal }): Promise<readonly Giver[]> {
    const { addresses } = this.#options;
    for (let round = 0; ; round++) {
      this.#step({ state: 'asking', text: `asking ${addresses.length} of the fleet's nodes for its secrets` });
      const found = await Promise.all(addresses.map((address) => this.#findGiver(address, signal)));
      const givers = found.filter((giver) => giver !== undefined);
      if (givers.length > 0) return givers;
      await this.#wait(round, 'no node can give the secrets yet', signal);
    }
  }

  /**
   * Gets the secrets from one of the givers.
   * @param enclave of this node, whose start is measured
   * @throws {ServerError} ERR_START if none gives them within three minutes · the reason of the signal
   */
  async receive(
    givers: readonly Giver[],
    enclave: Pick<Enclave, 'report' | 'proveJoin'>,
    { signal }: { signal: AbortSignal },
  ): Promise<SharedSecrets> {
    const { clock } = this.#options;
    const endsAt = clock() + receiveMs;
    for (let round = 0; ; round++) {
      for (const giver of givers) {
        const { address } = giver;
        try {
          const secrets = await this.#ask(giver, enclave, limited(signal));
          this.#step({ address, state: 'joined', text: `gave ${secrets.names.join(', ')}` });
          return secrets;
        } catch (error) {
          signal.throwIfAborted();
          this.#step({ address, state: 'refused', text: reasonOf(error) });
        }
      }
      if (clock() >= endsAt) {
        throw new ServerError('ERR_START', 'no node that this start was measured with gave the secrets: start again');
      }
      await this.#wait(round, 'no verified node gave the secrets', signal);
    }
  }

  async #findGiver(address: string, signal: AbortSignal): Promise<Giver | undefined> {
    try {
      const giver = await this.#verify(address, limited(signal));
      this.#step({ address, state: 'verified', text: `is verified, keyset ${giver.keysetDigest}` });
      return giver;
    } catch (error) {
      signal.throwIfAborted();
      this.#step({ address, state: 'refused', text: reasonOf(error) });
      return undefined;
    }
  }

  async #verify(address: string, signal: AbortSignal): Promise<Giver> {
    const { policy, isSimulated } = this.#options;
    // A simulation proves nothing, so its root may come from the node that it verifies.
    const asked = { nonce: randomNonce(), signal, connectTimeoutMs: askTimeoutMs, isProofRequired: false };
    const isOwnRootTrusted = isSimulated && !demandsHardware(policy);
    const roots = isOwnRootTrusted ? rootsFor((await fetchReport(address, asked)).report, { isSimulated }) : undefined;
    const verified = new Set<string>();
    // A TLS key that a thief could hold is not enough here, whatever the policy says.
    const send = attestedFetch(
      { ...policy, channel: 'bound' },
      {
        ...(roots === undefined ? {} : { roots }),
        ...{ seal: true, connectTimeoutMs: askTimeoutMs, verifyTimeoutMs: askTimeoutMs },
        onVerification: (_origin, { verdict, keysetDigest }) => {
          if (verdict === 'verified') verified.add(keysetDigest!);
        },
      },
    );
    const { giver } = await challengeOf({ address, send }, signal);
    if (!verified.has(giver)) {
      throw new AttestationError(
        'ERR_NOT_VERIFIED',
        'it names a keyset that was not verified, or the policy waives a check',
      );
    }
    return { address, keysetDigest: giver, send };
  }

  async #ask(
    giver: Giver,
    enclave: Pick<Enclave, 'report' | 'proveJoin'>,
    signal: AbortSignal,
  ): Promise<SharedSecrets> {
    const challenge = await challengeOf(giver, signal);
    if (challenge.giver !== giver.keysetDigest) {
      throw new AttestationError('ERR_NOT_VERIFIED', 'it has other keys than when this start was measured');
    }
    const { nonce } = challenge;
    const key = createSealingKey();
    const recipientKey = key.publicKey;
    const report = await enclave.report({ nonce, client: `joins ${giver.address}`, signal });
    const quote = await enclave.proveJoin({ nonce, giver: giver.keysetDigest, recipientKey }, { signal });
    const answer = await giver.send(new URL(`${joinPath}?nonce=${nonce}`, giver.address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: formatJoinRequest({ recipientKey, quote, report }),
      signal,
    });
    return openSecrets(parseSealedSecrets(await bodyOf(answer)), key);
  }

  async #wait(round: number, text: string, signal: AbortSignal): Promise<void> {
    const { pause = wait } = this.#options;
    const ms = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(round, 10));
    this.#step({ state: 'waiting', text: `${text}; trying again in ${ms / 1000} s` });
    await pause(ms, signal);
  }

  #step(step: Joining): void {
    this.#options.onStep(step);
  }
}

async function challengeOf(
  { address, send }: Pick<Giver, 'address' | 'send'>,
  signal: AbortSignal,
): Promise<JoinChallenge> {
  return parseJoinChallenge(await bodyOf(await send(new URL(joinPath, address), { signal })));
}

/** @throws {ServerError} ERR_START with the node's refusal */
async function bodyOf(answer: Response): Promise<Uint8Array> {
  const body = await boundedBody(answer, { what: 'the answer', bytesMax: joinAnswerCharactersMax });
  if (answer.ok) return body;
  let refusal: unknown;
  try {
    refusal = (JSON.parse(Buffer.from(body).toString('utf8')) as { error?: unknown }).error;
  } catch {
    // Not an answer of a node: its status says enough.
  }
  const reason = typeof refusal === 'string' ? `: ${refusal}` : '';
  throw new ServerError('ERR_START', `it answered ${answer.status}${reason}`);
}

/** Opens the secrets and zeroes what they passed through. @throws {AttestationError} ERR_SEALED_MALFORMED, ERR_EVIDENCE_MALFORMED */
export function openSecrets({ encapsulatedKey, sealed }: SealedSecrets, key: SealingKey): SharedSecrets {
  const exchange = key.receive(encapsulatedKey);
  if (exchange === undefined) throw notSealed();
  const texts: Buffer[] = [];
  let message: Buffer | undefined;
  try {
    const frames = new FrameReader({ frameBytesMax: secretsBytesMax, framesMax: 8 });
    for (const frame of frames.push(sealed)) {
      const text = exchange.open(frame);
      if (text === undefined) throw notSealed();
      texts.push(text);
    }
    frames.end();
    message = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const text of texts) at += text.copy(message, at);
    return parseSharedSecrets(message);
  } finally {
    exchange.wipe();
    for (const text of texts) text.fill(0);
    message?.fill(0);
  }
}

function notSealed(): AttestationError {
  return new AttestationError('ERR_SEALED_MALFORMED', 'the secrets are not sealed to the key of this node');
}

/** What failed, short and printable: parts of it can come from the other node. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : undefined;
  const detail = cause === undefined ? '' : `: ${(cause as NodeJS.ErrnoException).code ?? cause.message}`;
  return `${message}${detail}`.replace(/[^\x20-\x7e]/g, ' ').slice(0, reasonCharactersMax);
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]);
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
