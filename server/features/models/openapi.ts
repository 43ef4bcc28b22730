/** The routes of models in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeRead, inPath, ref } from '../../http/openapi-operations.ts';
import { model, modelList } from './answer-schema.ts';

export const modelPaths: JsonObject = {
  '/models': describeRead('listModels', "The models of the account's plan, with prices.", { schema: ref('ModelList') }),
  '/models/{id}': describeRead('readModel', "One model of the account's plan.", {
    schema: ref('Model'),
    parameters: [inPath('id')],
  }),
};

export const modelAnswers = { Model: model, ModelList: modelList } as const;
