/** The directory of a fleet in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeRead, ref } from '../http/openapi-operations.ts';
import { Type } from '../schema/type.ts';

const digest = (description: string) => Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description });

const fleetEntry = Type.Object({
  api_version: Type.Literal('cloister.fleet/1'),
  node: Type.String({ pattern: '^[0-9a-f]{16}$', description: "The start of the keyset's digest." }),
  address: Type.String({ description: 'Origin of the node.' }),
  workload_keyset: Type.Unsafe<object>({ type: 'object', description: "The node's keys, as in its evidence." }),
  models: Type.Array(
    Type.Object({ id: Type.String(), digest: digest("Of the model's start log event, as policies list it.") }),
  ),
  policy_digest: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Of the policy that the node applies to other nodes.',
  }),
  load: Type.Integer({ minimum: 0, maximum: 15, description: 'Used capacity in sixteenths.' }),
  draining: Type.Boolean({ description: 'The node is about to stop: start nothing on it.' }),
  issued_at: Type.Integer({ description: 'Unix seconds.' }),
  expires_at: Type.Integer({ description: 'Unix seconds.' }),
  key_id: Type.String({ description: 'The receipt signing key of the keyset that signs the entry.' }),
  signature: Type.String({ pattern: '^[0-9a-f]{128}$' }),
});

const fleetList = Type.Object({ api_version: Type.Literal('cloister.fleet/1'), entries: Type.Array(fleetEntry) });

export const fleetPaths: JsonObject = {
  '/fleet': describeRead(
    'listFleet',
    "The signed entries of the fleet's nodes. Needs no API key. 404 without a fleet.",
    { schema: ref('FleetList'), access: 'open', headers: ['Access-Control-Allow-Origin'] },
  ),
};

export const fleetAnswers = { FleetList: fleetList, FleetEntry: fleetEntry } as const;
