/** The description of the interface: `GET /v1/openapi.json`, OpenAPI 3.1. Within /v1 changes are backward compatible (I-009). */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import type { TObject } from 'typebox';
import { agentBody, chatBody, message, tool } from '../chat/schema.ts';
import { instanceBody } from '../compute/schema.ts';
import { embeddingBody } from '../embeddings/schema.ts';
import { imageBody } from '../images/schema.ts';
import { usageQuery } from '../usage/schema.ts';
import { answerSchemas } from './openapi-answers.ts';

/** Of the interface, not of the program that serves it. */
const interfaceVersion = '1.0.0';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const bytes: JsonObject = { schema: { type: 'string', format: 'binary' } };

/** How a client is to repeat a request (C-038); `docs/reference/errors-and-retries.md` says more. */
const retryGuidance =
  'Retry 429, 500, 502 and 503 with exponential backoff from 1 s, at most 5 times, and not before `Retry-After` where it is ' +
  'sent. Do not retry other statuses unchanged. A refused request costs nothing.';

/** What each status means where a model was asked. */
const refusals: Readonly<Record<number, string>> = {
  400: 'a parameter is wrong: the text names it',
  401: 'the key is missing or invalid',
  402: 'the balance does not cover what the request can cost: top up',
  403: 'the quota of tokens is used up (`details.usage`), or the key lacks the scope that `details.scope` names',
  413: 'the body is larger than `details.limit` bytes',
  415: 'the body is not JSON',
  429: 'too many requests: retry, not before `Retry-After`',
  500: 'a fault of the server: retry with backoff',
  503: 'not ready, or stopping: retry, not before `Retry-After`',
  504: 'the request ran out of time: ask for fewer tokens or steps',
};

const retryHeaders: JsonObject = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds; also `details.retry_after`.' },
};

const notServed: JsonObject = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    status,
    {
      description,
      ...(['429', '503'].includes(status) ? { headers: retryHeaders } : {}),
      content: json(ref('Error')),
    },
  ]),
);

const rateHeaders: JsonObject = {
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'Of the tightest limit on requests, if there is one.',
  },
  'X-RateLimit-Remaining': { schema: { type: 'integer' } },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Unix seconds.' },
};

const attestedHeaders: JsonObject = {
  'X-Confidential': {
    schema: { type: 'string', enum: ['true', 'simulated'] },
    description: 'Absent without an enclave.',
  },
  'X-Receipt-Id': { schema: { type: 'string' }, description: 'Fetches the receipt of this answer.' },
};

function asks(options: {
  readonly id: string;
  readonly summary: string;
  readonly body: string;
  readonly content: JsonObject;
  readonly headers?: JsonObject;
}): JsonObject {
  const { id, summary, body, content, headers = {} } = options;
  return {
    post: {
      operationId: id,
      summary,
      requestBody: { required: true, content: json(ref(body)) },
      responses: {
        200: { description: 'the answer', headers: { ...rateHeaders, ...attestedHeaders, ...headers }, content },
        ...notServed,
      },
    },
  };
}

interface Read {
  readonly schema: JsonObject;
  readonly parameters?: readonly JsonObject[];
  /** Whether it is answered without a key. */
  readonly isOpen?: boolean;
}

function reads(id: string, summary: string, { schema, parameters = [], isOpen = false }: Read) {
  const answers = Object.fromEntries(
    [401, 404, 500].map((status) => [
      status,
      { description: refusals[status] ?? 'there is no such thing on this account', content: json(ref('Error')) },
    ]),
  );
  const responses = { 200: { description: 'the answer', content: json(schema) }, ...answers };
  const optional = { ...(isOpen ? { security: [] } : {}), ...(parameters.length === 0 ? {} : { parameters }) };
  return { get: { operationId: id, summary, ...optional, responses } };
}

const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });
/** The members of a query, each as a parameter. */
const parametersOf = (query: TObject): JsonObject[] =>
  Object.entries(query.properties).map(([name, schema]) => inQuery(name, schema as JsonObject));
const inQuery = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });
const anything: JsonObject = { type: 'object' };

const chatContent: JsonObject = {
  ...json(ref('ChatCompletion')),
  'text/event-stream': { schema: ref('ChatCompletionChunk') },
};

const paths: JsonObject = {
  '/chat/completions': asks({
    id: 'createChatCompletion',
    summary: 'Answers a chat, whole or as a stream that ends with [DONE].',
    body: 'ChatBody',
    content: chatContent,
  }),
  '/confidential/chat/completions': asks({
    id: 'createConfidentialChatCompletion',
    summary: 'The same inside a proven enclave, by an agent or a model; 503 without one.',
    body: 'ConfidentialChatBody',
    content: chatContent,
    headers: { 'X-Agent': { schema: { type: 'string' }, description: 'The agent that answered; absent for a model.' } },
  }),
  '/embeddings': asks({
    id: 'createEmbeddings',
    summary: 'Embeds texts or token ids.',
    body: 'EmbeddingBody',
    content: json(ref('EmbeddingList')),
  }),
  '/images/generations': asks({
    id: 'createImages',
    summary: 'Draws pictures; one raw picture where n is 1 and Accept asks for its type.',
    body: 'ImageBody',
    content: { ...json(ref('ImageList')), 'image/png': bytes, 'image/jpeg': bytes, 'text/event-stream': bytes },
  }),
  '/models': reads('listModels', "The models of the account's plan, with prices.", { schema: ref('ModelList') }),
  '/models/{id}': reads('readModel', 'One of them.', { schema: ref('Model'), parameters: [inPath('id')] }),
  '/confidential/models': reads(
    'listConfidentialModels',
    "Agents and models of the account's plan, with prices and capabilities.",
    {
      schema: ref('ModelList'),
    },
  ),
  '/compute/instances': {
    post: {
      operationId: 'createInstance',
      summary: 'Rents the cheapest free machine that fits, from the compute service; 501 where there is none.',
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } }],
      requestBody: {
        required: true,
        content: json(ref('InstanceBody')),
      },
      responses: {
        201: { description: "the compute service's answer, as its own description has it", content: json(anything) },
        ...Object.fromEntries(
          [400, 401, 402, 403, 409, 429, 500, 501, 502, 503].map((status) => [
            status,
            {
              description: 'an error of this server or of the compute service, in its own form',
              content: json(anything),
            },
          ]),
        ),
      },
    },
  },
  '/balance': reads('readBalance', 'What the account has left of money and plan.', { schema: anything }),
  '/usage': reads('readUsage', 'What the account used.', {
    schema: anything,
    parameters: parametersOf(usageQuery),
  }),
  '/usage/statements/{day}': reads('readStatement', 'The bill of a day, signed where there is an enclave.', {
    schema: anything,
    parameters: [inPath('day')],
  }),
  '/usage/requests/{id}': reads('readUsageOfRequest', 'One request, and the proof that it is on the bill.', {
    schema: anything,
    parameters: [inPath('id')],
  }),
  '/aci/attestation': {
    ...reads('readEvidence', 'Who serves here, with proof. Needs no key.', {
      schema: anything,
      parameters: [inQuery('nonce', { type: 'string', pattern: '^[0-9a-f]{64}$' })],
      isOpen: true,
    }),
  },
  '/aci/channel': reads('proveChannel', 'Proves to this TLS connection that the enclave ends it. Needs no key.', {
    schema: ref('ChannelProof'),
    parameters: [{ ...inQuery('nonce', { type: 'string', pattern: '^[0-9a-f]{64}$' }), required: true }],
    isOpen: true,
  }),
  '/aci/receipts/{id}': reads('readReceipt', 'The receipt of an answer, for the key that asked.', {
    schema: anything,
    parameters: [inPath('id')],
  }),
};

/**
 * The schemas that bodies are read by, by the name that paths refer to. Fields that no schema has are let through and change
 * nothing; `null` counts as absent.
 */
export const bodySchemas = {
  ChatBody: chatBody,
  ConfidentialChatBody: agentBody,
  EmbeddingBody: embeddingBody,
  ImageBody: imageBody,
} as const;

/** What several bodies have in common is published once. */
const sharedSchemas: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [message, 'Message'],
  [tool, 'Tool'],
]);

/** A schema as it is published, with references in the place of shared ones within it. */
function published(schema: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      const shared = key === '' ? undefined : sharedSchemas.get(value);
      return shared === undefined ? value : ref(shared);
    }),
  ) as JsonObject;
}

const publishedBodies = Object.fromEntries(
  [
    ...Object.entries({ ...bodySchemas, InstanceBody: instanceBody }),
    ...[...sharedSchemas].map(([schema, name]) => [name, schema] as const),
  ].map(([name, schema]) => [name, published(schema)]),
);

export const openApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Cloister',
    version: interfaceVersion,
    description: `Inference inside confidential virtual machines. Nothing of a request is stored. ${retryGuidance}`,
  },
  servers: [{ url: '/v1' }],
  security: [{ bearer: [] }, { serviceKey: [] }],
  paths,
  components: {
    schemas: { ...publishedBodies, ...answerSchemas },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      serviceKey: { type: 'apiKey', in: 'header', name: 'X-Service-Key' },
    },
  },
} as const satisfies JsonObject;
