/** The record of one endpoint: it defines the route, validates requests, and is published as OpenAPI. */
import type { Scope } from '@cloister/accounts/base/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import type { ReadonlyStatic } from '../base/schemas.ts';
import type { ComputeService } from '../service/service.ts';

/**
 * `open`: no authentication · `session`: a session that a link opened, no key · `signed-in`: any session, no key · otherwise the
 * scope that the key or the session needs.
 */
export type Access = Scope | 'open' | 'session' | 'signed-in';

/** Schemas of successful responses, by status. */
type AnswerSchemas = Readonly<Record<number, TSchema>>;

interface Description<Body extends TSchema, Query extends TProperties, Answers extends AnswerSchemas> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:id` is a parameter. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  /** Schema of the required body; undefined for endpoints without one. */
  readonly body?: Body;
  /** Schemas that the handler itself chooses from; published as the `oneOf` of `body`. */
  readonly alternatives?: readonly TSchema[];
  /** Query parameters: optional strings. Unknown parameters are ignored. */
  readonly query?: Query;
  readonly answers: Answers;
  /** Error statuses in addition to those of every endpoint. */
  readonly errors?: readonly number[];
  /** Members of the response that are shown once and omitted from repeated responses. */
  readonly secrets?: readonly string[];
  /** `message` of a repeated response, in which the secrets are null. */
  readonly repeatedMessage?: string;
  /** Whether errors have `charged: false`. */
  readonly createsPods?: boolean;
}

export interface Operation extends Description<TSchema, TProperties, AnswerSchemas> {
  handle(call: Call): Promise<Answer>;
}

/** An operation whose handler is typed by its schemas. */
interface TypedOperation<Body extends TSchema, Query extends TProperties, Answers extends AnswerSchemas>
  extends Description<Body, Query, Answers> {
  handle(call: Call<ReadonlyStatic<Body>, QueryOf<Query>>): Promise<AnswerOf<Answers>>;
}

/** Infers the types of the handler from the schemas. */
export function operation<
  Answers extends AnswerSchemas,
  Body extends TSchema = TSchema,
  Query extends TProperties = Record<never, TSchema>,
>(definition: TypedOperation<Body, Query, Answers>): Operation {
  return definition;
}

export interface Call<Body = unknown, Query = unknown> {
  readonly service: ComputeService;
  /** Empty if access is `open`. */
  readonly accountId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Counts a deploy before it reaches an engine. @throws {ComputeError} RATE_LIMITED */
  readonly countCreation: () => Promise<void>;
  readonly idempotencyKey: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Answer<Status = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
}

type QueryOf<Query extends TProperties> = { readonly [Name in keyof Query]?: ReadonlyStatic<Query[Name]> };

/** The union of the responses that the schemas describe. */
type AnswerOf<Answers extends AnswerSchemas> = {
  [Status in keyof Answers & number]: Answer<Status, ReadonlyStatic<Answers[Status]>>;
}[keyof Answers & number];

export function ok<Body>(body: Body): Answer<200, Body> {
  return { status: 200, body };
}

export function created<Body>(body: Body): Answer<201, Body> {
  return { status: 201, body };
}
