/** Creates a receipt for every answer of a model: whole answers, streams, refusals, and aborted streams. */
import type { Admission, RequestEnd } from '@cloister/accounts/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Enclave } from '../enclave/enclave.ts';
import { type ModelRecord, ReceiptDraft } from '../enclave/receipt-draft.ts';
import type { ReceiptBook } from '../enclave/receipts.ts';
import { callerOf } from '../http/authentication.ts';
import { endpointOf } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { newId } from '../http/node-ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the answer gets no receipt, such as without an enclave to sign it. */
    receipt: ReceiptDraft | undefined;
  }
}

export interface ReceiptOptions {
  /** Undefined until the start has been measured, and without a platform. */
  readonly enclave: () => Enclave | undefined;
  /** Whether the measurement of the start is still pending; until then requests are refused (I-049). */
  readonly isStarting?: () => boolean;
  readonly book: ReceiptBook;
  /** Names the program, as the start log measured it. */
  readonly build: () => string;
  /** By the id of the model. */
  readonly modelRecord: (id: string) => ModelRecord | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** For an app whose every POST route runs a model, behind `requireKey` and `filterAnswers`. */
export function writeReceipts(app: FastifyInstance, options: ReceiptOptions): void {
  const { enclave, isStarting, book, build, modelRecord, now } = options;
  app.decorateRequest('receipt', undefined);
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method === 'POST' && isStarting?.() === true) {
      next(new ServerError('ERR_NOT_ATTESTED', 'the enclave is still starting and has no evidence yet: retry later'));
      return;
    }
    if (request.method === 'POST' && enclave() !== undefined) {
      request.receipt = new ReceiptDraft({
        receiptId: newId(request.server, 'rcpt-'),
        endpoint: endpointOf(request),
        method: request.method,
        build: build(),
        modelRecord,
        status: () => reply.statusCode,
        onFinished: (receipt) => {
          const signer = enclave();
          if (signer === undefined) return;
          const { digest } = signer.identity;
          const servedAt = Math.floor(now() / 1000);
          book.add(receiptOwner(request), {
            ...receipt,
            keysetDigest: digest,
            keyId: signer.receiptKeyId,
            servedAt,
          });
        },
      });
      request.bodyFilters.push(request.receipt);
    }
    next();
  });
}

/** The owner of the caller's receipts: its key, since other keys of the account may not fetch them. */
export function receiptOwner(request: FastifyRequest): string {
  const { accountId, keyId } = callerOf(request);
  return `${accountId}/${keyId}`;
}

/** Adds the price to the receipt when the admission is settled. */
export function withReceipt(admission: Admission, draft: ReceiptDraft | undefined): Admission {
  if (draft === undefined) return admission;
  draft.charging();
  const settleWith = async (end: RequestEnd, price: Promise<number>) => {
    try {
      const microDollars = await price;
      draft.charged(end, microDollars);
      return microDollars;
    } catch (error) {
      draft.released();
      throw error;
    }
  };
  return {
    ...admission,
    settle: (end) => settleWith(end, admission.settle(end)),
    settleInBackground: (end, options) => settleWith(end, admission.settleInBackground(end, options)),
    async release(end) {
      draft.released();
      await admission.release(end);
    },
  };
}
