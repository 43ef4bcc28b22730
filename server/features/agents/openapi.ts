/** The routes of agents in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, describeRead, ref } from '../../http/openapi-operations.ts';
import { chatContent } from '../chat/openapi.ts';
import { agentBody } from '../chat/schema.ts';

export const confidentialChatPath: JsonObject = {
  '/confidential/chat/completions': describeModelRequest({
    id: 'createConfidentialChatCompletion',
    summary: 'Answers a chat inside an attested enclave, by an agent or a model; 503 without an enclave.',
    body: 'ConfidentialChatBody',
    content: chatContent,
    headers: ['X-Agent'],
  }),
};

export const confidentialModelsPath: JsonObject = {
  '/confidential/models': describeRead(
    'listConfidentialModels',
    "Agents and models of the account's plan, with prices and capabilities.",
    { schema: ref('ModelList') },
  ),
};

export const confidentialBodies = { ConfidentialChatBody: agentBody } as const;
