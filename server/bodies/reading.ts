/** The messages between the serving thread and the thread that reads large bodies: plain data only. */
import { RuntimeError, type RuntimeErrorCode } from '@cloister/runtime/pool/errors';
import { ServerError, type ServerErrorCode, type ServerErrorDetails } from '../http/errors.ts';
import type { ReadBody } from './call-reader.ts';
import type { BodyPieces } from './receive.ts';

export interface ReadingTask {
  /** Name of the body's reader. */
  readonly reader: string;
  /** Transferred, not copied. */
  readonly pieces: BodyPieces;
  readonly terms: unknown;
  readonly readsConstraints: boolean;
}

export type Reading =
  | { readonly kind: 'read'; readonly read: ReadBody<unknown> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** An error as data: a thrown one would lose its code and keep its stack. */
type Refusal =
  | { readonly by: 'runtime'; readonly code: RuntimeErrorCode; readonly message: string; readonly details: Numbers }
  | {
      readonly by: 'server';
      readonly code: ServerErrorCode;
      readonly message: string;
      readonly details: ServerErrorDetails;
    };

type Numbers = Readonly<Record<string, number>>;

/** @throws `error` itself if it is a defect */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof ServerError) {
    const { code, message, details } = error;
    return { by: 'server', code, message, details: { ...details } };
  }
  if (error instanceof RuntimeError) {
    const { code, message, details } = error;
    return { by: 'runtime', code, message, details: { ...details } };
  }
  throw error;
}

export function toError(refusal: Refusal): ServerError | RuntimeError {
  const { message } = refusal;
  return refusal.by === 'server'
    ? new ServerError(refusal.code, message, { details: refusal.details })
    : new RuntimeError(refusal.code, message, { details: { ...refusal.details } });
}
