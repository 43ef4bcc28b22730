/** The routes of evidence in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeRead, inPath, inQuery, ref } from '../../http/openapi-operations.ts';
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

const digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const object = Type.Unsafe<object>({ type: 'object' });

const evidence = Type.Object({
  api_version: Type.Literal('aci/1'),
  workload_keyset_digest: digest,
  attestation: Type.Object({
    tee_type: Type.Literal('tdx'),
    workload_keyset: object,
    report_data: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    source_provenance: object,
    evidence: object,
  }),
  service_capabilities: Type.Object({
    supported_e2ee_versions: Type.Array(Type.String()),
    serving: object,
  }),
});

const receipt = Type.Object({
  api_version: Type.Literal('aci/1'),
  receipt_id: Type.String(),
  chat_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  model: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  workload_keyset_digest: digest,
  endpoint: Type.String(),
  method: Type.String(),
  served_at: Type.Integer(),
  event_log: Type.Array(object),
  key_id: Type.String(),
  signature: Type.String({ pattern: '^[0-9a-f]{128}$' }),
});

export const evidencePaths: JsonObject = {
  '/aci/attestation': describeRead('readEvidence', "Evidence of this server's enclave. Needs no API key.", {
    schema: ref('Evidence'),
    parameters: [nonce, keyset],
    headers: ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'],
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
    schema: ref('Receipt'),
    parameters: [inPath('id')],
  }),
};

export const evidenceAnswers = { ChannelProof: channelProof, Evidence: evidence, Receipt: receipt } as const;
