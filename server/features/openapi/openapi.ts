/** The description of the interface: `GET /v1/openapi.json`, OpenAPI 3.1. Within /v1 changes are backward compatible (I-009). */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { fleetAnswers, fleetPaths } from '../../fleet/openapi.ts';
import { errorBody } from '../../http/error-schema.ts';
import { errorResponses } from '../../http/openapi-errors.ts';
import { headers } from '../../http/openapi-headers.ts';
import { ref, retryGuidance } from '../../http/openapi-operations.ts';
import { sessionCookieName } from '../../http/session-cookie.ts';
import { completeDocument } from '../../schema/complete-document.ts';
import { confidentialBodies, confidentialChatPath, confidentialModelsPath } from '../agents/openapi.ts';
import { evidenceAnswers, evidencePaths } from '../attestation/openapi.ts';
import { chatAnswers, chatBodies, chatParts, chatPaths } from '../chat/openapi.ts';
import { completionAnswers, completionBodies, completionPaths } from '../completions/openapi.ts';
import { instanceAnswers, instanceBodies, instancePaths } from '../compute/openapi.ts';
import { embeddingAnswers, embeddingBodies, embeddingPaths } from '../embeddings/openapi.ts';
import { imageAnswers, imageBodies, imagePaths } from '../images/openapi.ts';
import { messageAnswers, messageBodies, messageParts, messagePaths } from '../messages/openapi.ts';
import { modelAnswers, modelPaths } from '../models/openapi.ts';
import { rerankAnswers, rerankBodies, rerankPaths } from '../rerank/openapi.ts';
import { responseAnswers, responseBodies, responseParts, responsePaths } from '../responses/openapi.ts';
import { sessionAnswers, sessionBodies, sessionPaths } from '../sessions/openapi.ts';
import { usageAnswers, usagePaths } from '../usage/openapi.ts';
import { answerFields } from './answer-fields.ts';
import { requestFields } from './request-fields.ts';

/** The version of the interface, not of the program. */
const interfaceVersion = '1.0.0';

const paths: JsonObject = {
  ...chatPaths,
  ...completionPaths,
  ...responsePaths,
  ...messagePaths,
  ...confidentialChatPath,
  ...embeddingPaths,
  ...rerankPaths,
  ...imagePaths,
  ...modelPaths,
  ...confidentialModelsPath,
  ...instancePaths,
  ...usagePaths,
  ...sessionPaths,
  ...evidencePaths,
  ...fleetPaths,
};

/** The schemas of bodies. Routes ignore fields that their schema does not name, and treat `null` as absent. */
export const bodySchemas = {
  ...chatBodies,
  ...completionBodies,
  ...responseBodies,
  ...messageBodies,
  ...confidentialBodies,
  ...embeddingBodies,
  ...rerankBodies,
  ...imageBodies,
} as const;

/** Every schema by the name that paths refer to. */
const schemas = {
  ...bodySchemas,
  ...instanceBodies,
  ...sessionBodies,
  ...chatParts,
  ...responseParts,
  ...messageParts,
  ...evidenceAnswers,
  ...fleetAnswers,
  ...chatAnswers,
  ...completionAnswers,
  ...responseAnswers,
  ...messageAnswers,
  ...embeddingAnswers,
  ...rerankAnswers,
  ...imageAnswers,
  ...modelAnswers,
  ...instanceAnswers,
  ...usageAnswers,
  ...sessionAnswers,
  Error: errorBody,
} as const;

const names = new Map<unknown, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]));

/** A schema for the document: a reference replaces each named schema within it. */
function publish(schema: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      const name = key === '' ? undefined : names.get(value);
      return name === undefined ? value : ref(name);
    }),
  ) as JsonObject;
}

const document = {
  openapi: '3.1.0',
  info: {
    title: 'Cloister',
    version: interfaceVersion,
    description: `Inference inside confidential virtual machines. The server does not store prompts or completions. ${retryGuidance}`,
  },
  servers: [{ url: '/v1' }],
  security: [{ bearer: [] }, { serviceKey: [] }],
  paths,
  components: {
    headers,
    responses: errorResponses,
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, publish(schema)])),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      serviceKey: { type: 'apiKey', in: 'header', name: 'X-Service-Key' },
      session: { type: 'apiKey', in: 'cookie', name: sessionCookieName },
    },
  },
} as const satisfies JsonObject;

const completed = completeDocument(document, { ...answerFields, ...requestFields });

/** Texts of the tables that describe no field. */
export const unusedFieldTexts: readonly string[] = completed.unused;

export const openApiDocument = completed.document;
