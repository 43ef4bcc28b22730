/** Converts the body of a route to the call that the route executes. */
import { readServingConstraints, type ServingConstraints } from './serving-constraints.ts';

/** Pure, and the same on every thread: bodies, terms and calls are plain data. */
export interface CallReader<Call, Terms> {
  /** Identifies it to the thread that reads large bodies. */
  readonly name: string;
  /**
   * @param body parsed JSON
   * @throws {ServerError} ERR_REQUEST_INVALID · {RuntimeError} ERR_CONTEXT_OVERFLOW
   */
  read(body: unknown, terms: Terms): Call;
}

/** All that is kept of a body. */
export interface ReadBody<Call> {
  readonly call: Call;
  /** Undefined if the server supports no constraints. */
  readonly constraints: ServingConstraints | undefined;
}

/** @throws as `reader.read`, and {ServerError} ERR_CONSTRAINT_INVALID */
export function readBody<Call, Terms>(
  reader: CallReader<Call, Terms>,
  body: unknown,
  { terms, readsConstraints }: { terms: Terms; readsConstraints: boolean },
): ReadBody<Call> {
  const constraints = readsConstraints ? readServingConstraints(body) : undefined;
  return { call: reader.read(body, terms), constraints };
}
