/** The routes of balance and usage in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeRead, inPath, parametersOf, ref } from '../../http/openapi-operations.ts';
import { balanceAnswer, statementAnswer, usageList, usageOfRequest } from './answer-schema.ts';
import { usageQuery } from './schema.ts';

export const usagePaths: JsonObject = {
  '/balance': describeRead('readBalance', 'The remaining money and plan limits of the account.', {
    schema: ref('Balance'),
  }),
  '/usage': describeRead('readUsage', 'The usage of the account.', {
    schema: ref('UsageList'),
    parameters: parametersOf(usageQuery),
    errors: [400],
  }),
  '/usage/statements/{day}': describeRead('readStatement', 'The bill of a day, signed if the server has an enclave.', {
    schema: ref('Statement'),
    parameters: [inPath('day')],
    errors: [400],
  }),
  '/usage/requests/{id}': describeRead('readUsageOfRequest', 'One request, and the proof that it is on the bill.', {
    schema: ref('UsageOfRequest'),
    parameters: [inPath('id')],
  }),
};

export const usageAnswers = {
  Balance: balanceAnswer,
  UsageList: usageList,
  Statement: statementAnswer,
  UsageOfRequest: usageOfRequest,
} as const;
