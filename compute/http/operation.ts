/** What one endpoint is: the same record makes the route, checks what comes in, and is published as OpenAPI. */

import type { Scope } from '@cloister/accounts/base/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonSchema } from '../base/json-schema.ts';
import type { ComputeService } from '../service/service.ts';

/** `open`: anybody · `session`: people who signed in, never a key · else the scope that a key needs. */
export type Access = Scope | 'open' | 'session';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for a parameter; `{svc}` for the service's own word. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  /** A body is needed where there is one. */
  readonly body?: JsonSchema;
  /** Members of the query; all are optional texts. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Answers that are no errors. */
  readonly answers: Readonly<Record<number, JsonSchema>>;
  /** Statuses of errors that it can give, besides those that every endpoint can. */
  readonly errors?: readonly number[];
  /** Members of the answer that are shown once and never repeated. */
  readonly secrets?: readonly string[];
  /** `message` of a repeated answer, in which the secrets are null. */
  readonly repeatedMessage?: string;
  /** Its refusals say that nothing was charged. */
  readonly createsPods?: boolean;
  readonly handle: (call: Call) => Promise<Answer>;
}

export interface Call {
  readonly service: ComputeService;
  /** Empty where access is `open`. */
  readonly accountId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Checked against the operation's schema. */
  readonly body: unknown;
  /** Counts a deploy that is about to reach an engine. @throws {ComputeError} RATE_LIMITED */
  readonly countCreation: () => Promise<void>;
  readonly idempotencyKey: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}
