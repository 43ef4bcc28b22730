/** Errors as plain data, for messages between threads. */
import { RuntimeError, type RuntimeErrorCode } from './errors.ts';

/** An error without its stack, which could contain request data. */
export interface CodedMessage {
  readonly code: RuntimeErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, number>>;
}

export function toCodedMessage(error: RuntimeError): CodedMessage {
  return { code: error.code, message: error.message, details: error.details };
}

export function toRuntimeError({ code, message, details }: CodedMessage): RuntimeError {
  return new RuntimeError(code, message, { details: { ...details } });
}

export function assertNever(value: never): never {
  throw new Error(`unexpected message ${(value as { kind?: string }).kind}`);
}
