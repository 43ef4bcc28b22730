/** What one endpoint is: the same record makes the route, checks what comes in, and is published as OpenAPI. */
import type { Scope } from '@cloister/accounts/base/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import type { ReadonlyStatic } from '../base/schemas.ts';
import type { ComputeService } from '../service/service.ts';

/** `open`: anybody · `session`: people who signed in, never a key · else the scope that a key needs. */
export type Access = Scope | 'open' | 'session';

/** Answers that are no errors, by status. */
type AnswerSchemas = Readonly<Record<number, TSchema>>;

interface Description<Body extends TSchema, Query extends TProperties, Answers extends AnswerSchemas> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for a parameter; `{svc}` for the service's own word. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  /** A body is needed where there is one. */
  readonly body?: Body;
  /** The handler reads one of these from `body` itself; published as the `oneOf` of `body`. */
  readonly alternatives?: readonly TSchema[];
  /** Members of the query; all are optional texts, unknown ones are ignored. */
  readonly query?: Query;
  readonly answers: Answers;
  /** Statuses of errors that it can give, besides those that every endpoint can. */
  readonly errors?: readonly number[];
  /** Members of the answer that are shown once and never repeated. */
  readonly secrets?: readonly string[];
  /** `message` of a repeated answer, in which the secrets are null. */
  readonly repeatedMessage?: string;
  /** Its refusals say that nothing was charged. */
  readonly createsPods?: boolean;
}

export interface Operation extends Description<TSchema, TProperties, AnswerSchemas> {
  handle(call: Call): Promise<Answer>;
}

/** The handler's arguments and answers have the types of the schemas. */
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
  /** Empty where access is `open`. */
  readonly accountId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Counts a deploy that is about to reach an engine. @throws {ComputeError} RATE_LIMITED */
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

/** One of the answers that the schemas describe. */
type AnswerOf<Answers extends AnswerSchemas> = {
  [Status in keyof Answers & number]: Answer<Status, ReadonlyStatic<Answers[Status]>>;
}[keyof Answers & number];

export function ok<Body>(body: Body): Answer<200, Body> {
  return { status: 200, body };
}

export function created<Body>(body: Body): Answer<201, Body> {
  return { status: 201, body };
}
