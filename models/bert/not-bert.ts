/** The error for graphs that the own kernels do not support. */

/** The message is the reason, for the log. */
export class NotBert extends Error {
  override readonly name = 'NotBert';
}

export function fail(reason: string): never {
  throw new NotBert(reason);
}
