/** How reading a BERT out of a graph ends where the graph is something else. */

/** Why a graph is none that our kernels compute, in words for the log. */
export class NotBert extends Error {
  override readonly name = 'NotBert';
}

export function fail(reason: string): never {
  throw new NotBert(reason);
}
