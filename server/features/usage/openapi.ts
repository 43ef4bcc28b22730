/** The routes of balance and usage in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { anyObject, describeRead, inPath, parametersOf } from '../../http/openapi-operations.ts';
import { usageQuery } from './schema.ts';

export const usagePaths: JsonObject = {
  '/balance': describeRead('readBalance', 'The remaining money and plan limits of the account.', { schema: anyObject }),
  '/usage': describeRead('readUsage', 'The usage of the account.', {
    schema: anyObject,
    parameters: parametersOf(usageQuery),
  }),
  '/usage/statements/{day}': describeRead('readStatement', 'The bill of a day, signed if the server has an enclave.', {
    schema: anyObject,
    parameters: [inPath('day')],
  }),
  '/usage/requests/{id}': describeRead('readUsageOfRequest', 'One request, and the proof that it is on the bill.', {
    schema: anyObject,
    parameters: [inPath('id')],
  }),
};
