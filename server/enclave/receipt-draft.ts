/** Builds the receipt of one request while it runs, from the bytes of its body and answer and from events of the route. */
import { createHash, hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestEnd } from '@cloister/accounts/admission';
import type { Receipt, ReceiptEvent } from '@cloister/attestation/aci/receipt';
import { receiptEvent } from '@cloister/attestation/aci/receipt';
import type { BodyFilter } from '../http/answer-body.ts';

/** The facts about a model in a receipt. */
export interface ModelRecord {
  readonly id: string;
  /** SHA-256 of each loaded file, 64 hexadecimal digits each. */
  readonly weights: readonly string[];
  /** For example `Q8_0`; undefined if unknown. */
  readonly quantisation: string | undefined;
}

/** Parameters of an answer: numbers, flags and fixed words, never text of the caller. */
export type Parameters = Readonly<Record<string, number | boolean | string | undefined>>;

/** The agent that answered. */
export interface AgentRecord {
  readonly slug: string;
  /** SHA-256 of prompt and tools, 64 hexadecimal digits. */
  readonly promptSha256: string;
}

export interface DraftOptions {
  readonly receiptId: string;
  readonly endpoint: string;
  readonly method: string;
  /** Names the program that ran, as the start log measured it. */
  readonly build: string;
  readonly modelRecord: (id: string) => ModelRecord | undefined;
  /** Status of the answer, once it is known. */
  readonly status: () => number;
  /** Called once, when the answer has ended and its price is known; not for a request without a complete body. */
  readonly onFinished: (receipt: Omit<Receipt, 'keysetDigest' | 'keyId' | 'servedAt'>) => void;
}

export const receiptIdHeader = 'x-receipt-id';

export class ReceiptDraft implements BodyFilter {
  readonly #options: DraftOptions;
  readonly #answerHash = createHash('sha256');
  readonly #linkedHashes: string[] = [];
  #requestHash: string | undefined;
  #answerBytes = 0;
  #isOpen = false;
  #isCharging = false;
  #isFinished = false;
  #ending: { readonly isComplete: boolean; readonly bodyHash: string } | undefined;
  #chatId: string | undefined;
  #model: ModelRecord | undefined;
  #agent: AgentRecord | undefined;
  #parameters: Parameters = {};
  #charge: { readonly end: RequestEnd; readonly microDollars: number } | undefined;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /**
   * The request's body is here, whole and opened. From now on its answer has a receipt.
   * @param sha256 of the body, in hexadecimal digits
   */
  received(sha256: string): void {
    this.#requestHash = digestText(sha256);
  }

  /** Records the requested model. @param id of a served model, not text of the caller */
  serves(id: string): void {
    this.#model = this.#options.modelRecord(id) ?? { id, weights: [], quantisation: undefined };
  }

  asAgent(agent: AgentRecord): void {
    this.#agent = agent;
  }

  /** @param chatId id of the answer, if it has one */
  describe(parameters: Parameters, { chatId }: { chatId?: string } = {}): void {
    this.#parameters = parameters;
    this.#chatId = chatId;
  }

  /** Records a file that the answer links to. */
  links(file: Uint8Array): void {
    this.#linkedHashes.push(digestText(hash('sha256', file, 'hex')));
  }

  /** The receipt waits until `charged` or `released`. */
  charging(): void {
    this.#isCharging = true;
  }

  charged(end: RequestEnd, microDollars: number): void {
    this.#charge = { end, microDollars };
    this.released();
  }

  released(): void {
    this.#isCharging = false;
    this.#finish();
  }

  open(headers: OutgoingHttpHeaders): void {
    this.#isOpen = true;
    if (this.#requestHash !== undefined) headers[receiptIdHeader] = this.#options.receiptId;
  }

  push(chunk: Buffer): Buffer {
    this.#answerHash.update(chunk);
    this.#answerBytes += chunk.length;
    return chunk;
  }

  end(): Buffer {
    this.#end(true);
    return Buffer.alloc(0);
  }

  abort(): void {
    // If the headers were never sent, no client has the receipt's id.
    if (this.#isOpen) this.#end(false);
  }

  #end(isComplete: boolean): void {
    this.#ending = { isComplete, bodyHash: digestText(this.#answerHash.digest('hex')) };
    this.#finish();
  }

  #finish(): void {
    if (this.#isFinished || this.#isCharging || this.#ending === undefined || this.#requestHash === undefined) return;
    this.#isFinished = true;
    const { receiptId, endpoint, method } = this.#options;
    this.#options.onFinished({
      receiptId,
      chatId: this.#chatId,
      model: this.#model?.id,
      endpoint,
      method,
      events: this.#events(this.#requestHash, this.#ending),
    });
  }

  #events(requestHash: string, { isComplete, bodyHash }: { isComplete: boolean; bodyHash: string }): ReceiptEvent[] {
    return [
      { type: receiptEvent.received, body_hash: requestHash },
      // The server passes bodies to the model unchanged. Agents add to them.
      ...(this.#charge === undefined || this.#agent !== undefined
        ? []
        : [{ type: receiptEvent.forwarded, body_hash: requestHash }]),
      ...(this.#model === undefined ? [] : [this.#inference(this.#model)]),
      ...(this.#charge === undefined ? [] : [usageEvent(this.#charge)]),
      ...this.#linkedHashes.map((digest) => ({ type: 'cloister.linked-file', body_hash: digest })),
      { type: receiptEvent.returned, body_hash: bodyHash },
      {
        type: 'cloister.answer',
        status: this.#options.status(),
        bytes: this.#answerBytes,
        complete: isComplete,
      },
    ];
  }

  #inference({ id, weights, quantisation }: ModelRecord): ReceiptEvent {
    const parameters = Object.entries(this.#parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[`parameter_${name}`, exactly(value)]],
    );
    return {
      type: 'cloister.inference',
      build: this.#options.build,
      model_id: id,
      weights: weights.map(digestText),
      quantisation: quantisation ?? null,
      agent: this.#agent?.slug ?? null,
      agent_prompt_hash: this.#agent === undefined ? null : digestText(this.#agent.promptSha256),
      ...(Object.fromEntries(parameters) as Record<string, string | number | boolean>),
    };
  }
}

/** The event of the charged usage. */
function usageEvent({ end, microDollars }: { end: RequestEnd; microDollars: number }): ReceiptEvent {
  const { promptTokens, completionTokens, images, steps } = end.counts;
  return {
    type: 'cloister.usage',
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(images === undefined ? {} : { images }),
    ...(steps === undefined ? {} : { steps }),
    finish_reason: end.finishReason,
    price_micro_dollars: microDollars,
  };
}

/** Fractions become strings, since the canonical form of integers is the same in every language. */
function exactly(value: number | boolean | string): number | boolean | string {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? String(value) : value;
}

function digestText(hex: string): string {
  return `sha256:${hex}`;
}
