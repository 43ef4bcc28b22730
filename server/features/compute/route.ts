/** `POST /v1/compute/instances` (I-065), forwarded to the compute service: one base address serves both surfaces. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf, readKey } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { ServerError } from '../../http/errors.ts';
import { type ComputeTarget, forwardToCompute } from './forward.ts';

export interface ComputeInstanceDependencies {
  /** Undefined if no compute service is configured. */
  readonly compute?: ComputeTarget | undefined;
  readonly requestTimeoutMs: number;
}

const path = '/v1/compute/instances';
const bodyBytesMax = 64 * 1024;
/** Requests forwarded at the same time, in all and per account. */
const forwardedMax = 64;
const forwardedPerAccountMax = 4;

/** For a scope behind `requireKey`. */
export function computeInstanceRoutes(
  app: FastifyInstance,
  { compute, requestTimeoutMs }: ComputeInstanceDependencies,
): void {
  const slots = new Slots();
  app.post('/compute/instances', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    if (compute === undefined) {
      throw new ServerError(
        'ERR_COMPUTE_ABSENT',
        'this server is not connected to a compute service: ask its operator for the address of one',
      );
    }
    using _slot = slots.acquire(callerOf(request).accountId);
    const answer = await forwardToCompute(
      compute,
      { path, headers: headersOf(request), body: JSON.stringify(request.body ?? null) },
      { signal: whenCallerLeaves(reply), timeoutMs: requestTimeoutMs },
    );
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
}

/** The compute service limits by client address. It accepts this header if this server is one of its trusted proxies. */
function headersOf(request: FastifyRequest): Record<string, string> {
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    'x-api-key': readKey(request),
    'x-forwarded-for': request.ip,
    ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
    ...(request.trace === undefined ? {} : { traceparent: request.trace.traceparent }),
  };
}

/** Bounds the requests that are forwarded at the same time. */
class Slots {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @throws {ServerError} ERR_COMPUTE_BUSY */
  acquire(accountId: string): Disposable {
    const taken = this.#taken.get(accountId) ?? 0;
    if (this.#all >= forwardedMax || taken >= forwardedPerAccountMax) {
      throw new ServerError('ERR_COMPUTE_BUSY', 'too many requests to the compute service are running: try again');
    }
    this.#all += 1;
    this.#taken.set(accountId, taken + 1);
    return { [Symbol.dispose]: () => this.#release(accountId) };
  }

  #release(accountId: string): void {
    const left = this.#taken.get(accountId)! - 1;
    this.#all -= 1;
    if (left === 0) this.#taken.delete(accountId);
    else this.#taken.set(accountId, left);
  }
}
