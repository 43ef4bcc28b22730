/** The forwarded compute route in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { headerRefs } from '../../http/openapi-errors.ts';
import { everyHeader } from '../../http/openapi-headers.ts';
import { json, ref } from '../../http/openapi-operations.ts';
import { Type } from '../../schema/type.ts';
import { instanceBody } from './schema.ts';

const errorStatuses = [400, 401, 402, 403, 409, 429, 500, 501, 502, 503];

export const instancePaths: JsonObject = {
  '/compute/instances': {
    post: {
      operationId: 'createInstance',
      summary: 'Rents the cheapest free machine that fits, from the compute service; 501 if none is configured.',
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } }],
      requestBody: {
        required: true,
        content: json(ref('InstanceBody')),
      },
      responses: {
        201: {
          description: "the compute service's answer, as documented in its own API description",
          headers: headerRefs(...everyHeader),
          content: json(ref('Instance')),
        },
        ...Object.fromEntries(
          errorStatuses.map((status) => [
            status,
            {
              description: 'an error of this server or of the compute service, in its own form',
              headers: headerRefs(...everyHeader),
              content: json(ref('InstanceError')),
            },
          ]),
        ),
      },
    },
  },
};

export const instanceBodies = { InstanceBody: instanceBody } as const;

/** As the compute service describes them in its own document. */
export const instanceAnswers = {
  Instance: Type.Object({
    success: Type.Boolean(),
    pod: Type.Unsafe<object>({ type: 'object' }),
    message: Type.String(),
  }),
  InstanceError: Type.Object({ error: Type.String() }),
} as const;
