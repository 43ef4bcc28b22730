/** The routes of evidence in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { anyObject, describeRead, inPath, inQuery, ref } from '../../http/openapi-operations.ts';
import { Type } from '../../schema/type.ts';

const nonce = inQuery('nonce', { type: 'string', pattern: '^[0-9a-f]{64}$' });

const keyset = {
  ...inQuery('keyset', { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }),
  description: 'In a fleet, the keyset of the node whose evidence is requested.',
};

const digits = (bytes: number, description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: `^[0-9a-f]{${2 * bytes}}$`, description });

const channelProof = Type.Object({
  version: Type.Literal('cloister.channel.v1'),
  keyset_digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  quote: Type.String({ description: 'Base64.' }),
  channel_key: digits(32, 'Ed25519. Null if the quote was made for this connection.'),
  signature: digits(64, 'Signature by `channel_key` over the statement about this connection.'),
});

export const evidencePaths: JsonObject = {
  '/aci/attestation': describeRead('readEvidence', "Evidence of this server's enclave. Needs no API key.", {
    schema: anyObject,
    parameters: [nonce, keyset],
    access: 'open',
  }),
  '/aci/channel': describeRead(
    'proveChannel',
    'Proves that the enclave terminates this TLS connection. Needs no API key.',
    {
      schema: ref('ChannelProof'),
      parameters: [{ ...nonce, required: true }],
      access: 'open',
    },
  ),
  '/aci/receipts/{id}': describeRead('readReceipt', 'The receipt of an answer, for the key that sent its request.', {
    schema: anyObject,
    parameters: [inPath('id')],
  }),
};

export const evidenceAnswers = { ChannelProof: channelProof } as const;
